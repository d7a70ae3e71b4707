import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { operations } from '../../../../src/main/operations.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { openBrowser, whyNoBrowser } from '../../../service/browser.ts';
import { startTestService } from '../../../service/start.ts';

const skip = whyNoBrowser() ?? false;

/** A browser, and the address of the reference in a service with defaults. */
async function browse(t: TestContext) {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  return { ...(await openBrowser(t)), reference: `${new URL(url).origin}/alfresco/service/reference` };
}

test('a browser makes the reference of every operation, under the policy that the page has', {
  skip,
}, async (t) => {
  const { page, reference } = await browse(t);
  await page.goto(reference);
  const paths = operations.flatMap((operation) => operation.paths);
  await page
    .locator('[data-path]')
    .nth(paths.length - 1)
    .waitFor();
  const shown = await page.locator('[data-path]').evaluateAll((all) => all.map((each) => each.dataset.path));
  assert.deepEqual(shown.map((path) => path?.replaceAll('\u200b', '')).toSorted(), paths.toSorted());
});

test('the versions in the reference stand on the colour that the package gives them, not on that of our pages', {
  skip,
}, async (t) => {
  const { page, reference } = await browse(t);
  await page.goto(reference);
  await page.locator('pre.version').nth(1).waitFor();
  const colours =
    "[...document.querySelectorAll('pre.version')].map((each) => getComputedStyle(each).backgroundColor)";
  assert.deepEqual(await page.evaluate(colours), ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
});

test('the reference says that a script asks, since without TLS a browser that is challenged would open its log-in box', {
  skip,
}, async (t) => {
  const { page, reference } = await browse(t);
  const asking = page.waitForRequest((request) => request.resourceType() === 'fetch');
  await page.goto(reference);
  assert.equal((await asking).headers()['x-requested-with'], 'XMLHttpRequest');
  await page.locator('pre.version').nth(1).waitFor();
});
