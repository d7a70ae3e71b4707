import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNoBrowser } from '../../service/chromium.ts';
import { measured } from '../../service/measured.ts';
import { startTestService } from '../../service/start.ts';
import { openMemory } from '../../storage/memory/open.ts';

const why = whyNoBrowser();

/** The background colour of the versions, once the reference is rendered. */
const BEHIND = `new MutationObserver(() => {
  const behind = [...document.querySelectorAll('pre.version')].map((each) => getComputedStyle(each).backgroundColor);
  if (behind.length > 0) document.documentElement.title = behind.join(';');
}).observe(document.body, { childList: true, subtree: true })`;

test('the versions in the reference stand on the colour that the package gives them, not on that of our pages', {
  skip: why ?? false,
}, async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  const behind = await measured(t, `${url}/reference`, BEHIND);
  assert.deepEqual(behind?.split(';'), ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
});
