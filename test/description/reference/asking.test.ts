import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNoBrowser } from '../../service/chromium.ts';
import { measured } from '../../service/measured.ts';
import { startTestService } from '../../service/start.ts';
import { openMemory } from '../../storage/memory/open.ts';

const why = whyNoBrowser();

/** The sender that each request of the page names. */
const ASKED_BY = `const ask = window.fetch;
window.fetch = (what, how) => {
  document.documentElement.title += new Request(what, how).headers.get('X-Requested-With') + ';';
  return ask(what, how);
}`;

test('the reference says that a script asks, since without TLS a browser that is challenged would open its log-in box', {
  skip: why ?? false,
}, async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  assert.equal(await measured(t, `${url}/reference`, ASKED_BY), 'XMLHttpRequest;');
});
