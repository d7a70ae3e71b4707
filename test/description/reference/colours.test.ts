import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { rendered, whyNoBrowser } from '../../service/chromium.ts';
import { startTestService } from '../../service/start.ts';
import { openMemory } from '../../storage/memory/open.ts';

const why = whyNoBrowser();

/** Writes what stands behind the versions into the page, once the reference has made them. */
const MEASURE = `<script>new MutationObserver(() => {
  const behind = [...document.querySelectorAll('pre.version')].map((each) => getComputedStyle(each).backgroundColor);
  if (behind.length > 0) document.documentElement.title = behind.join(';');
}).observe(document.body, { childList: true, subtree: true })</script>`;

/** The same pages with this script in the reference, and without their policy, which forbids it. */
async function measured(t: TestContext, url: string): Promise<string> {
  const front = createServer(async ({ url: target = '' }, response) => {
    const answer = await fetch(url + target);
    response.setHeader('content-type', answer.headers.get('content-type') ?? '');
    const text = await answer.text();
    response.end(target.endsWith('/reference') ? text.replace('</body>', `${MEASURE}</body>`) : text);
  });
  t.after(() => front.close());
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

test('the versions in the reference stand on the colour that the package gives them, not on that of our pages', {
  skip: why ?? false,
}, async (t) => {
  const { url } = await startTestService(t, {}, openMemory);
  const page = await rendered(t, `${await measured(t, url)}/reference`);
  const [, behind] = page.match(/<html[^>]* title="([^"]*)"/) ?? [];
  assert.deepEqual(behind?.split(';'), ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
});
