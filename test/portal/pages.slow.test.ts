import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ExampleService, startExampleService } from '../../docs/pictures/example-service.ts';
import type { AnyOperation } from '../../src/operation.ts';
import { openBrowser, type Reader, whyNoBrowser } from '../service/browser.ts';
import { checkForEverybody, checkForm } from './check-page.ts';
import { exampleOf, pagesShown, readerOf } from './page-examples.ts';

/** Bytes of a page with all that it loads, as they are sent. */
const MOST = 50 * 1_024;

const skip = whyNoBrowser() ?? false;

/** Opens the example of a page as its reader. Gives the bytes that it took. */
async function open(t: TestContext, service: ExampleService, shown: AnyOperation, reader: Reader) {
  const { page, context } = await openBrowser(t, reader);
  const name = readerOf(shown);
  if (name !== undefined)
    await context.addCookies([{ name: 'tessera', value: await service.signIn(name), url: service.url }]);
  const sizes: Promise<number>[] = [];
  context.on('requestfinished', (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const response = await page.goto(`${service.url}${exampleOf(shown)}`);
  assert.equal(response?.status(), 200);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { page, bytes };
}

test('pages in a browser', { skip }, async (t) => {
  const service = await startExampleService();
  t.after(() => service.stop());
  for (const shown of pagesShown()) {
    await t.test(`${exampleOf(shown)} can be read by everybody`, async (t) => {
      const { page, bytes } = await open(t, service, shown, {});
      assert.ok(bytes <= MOST, `${bytes} bytes`);
      await checkForEverybody(page);
    });

    await t.test(`${exampleOf(shown)} needs no scripts, and is there in German`, async (t) => {
      const english = await open(t, service, shown, { width: 360, scripts: false });
      const heading = await checkForm(english.page, 'en');
      const german = await open(t, service, shown, { width: 360, scripts: false, language: 'de-AT' });
      await checkForm(german.page, 'de');
      const texts = await Promise.all([english, german].map(({ page }) => page.locator('body').innerText()));
      assert.notEqual(texts[0], texts[1]);
      assert.ok(texts[0]?.includes(heading));
    });
  }
});
