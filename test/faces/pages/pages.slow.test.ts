import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { type ExampleService, startExampleService } from '../../../docs/pictures/example-service.ts';
import type { AnyOperation } from '../../../src/core/operation.ts';
import { openBrowser, type Reader, whyNoBrowser } from '../../service/browser.ts';
import { PASSWORD } from '../../service/start.ts';
import { checkForEverybody, checkForm } from './check-page.ts';
import { exampleOf, pagesShown, readerOf } from './page-examples.ts';

/** Bytes of a page with all that it loads, as they are sent. */
const MOST = 50 * 1_024;

/** A word that no column has room for. */
const LONG = 'wolfeschlegelsteinhausenbergerdorff';

const skip = whyNoBrowser() ?? false;

/** The windows of all readers, one for each user and kind of reader: to open one takes longer than to load a page. */
class Windows {
  readonly #t: TestContext;
  readonly #service: ExampleService;
  readonly #pages = new Map<string, Promise<Page>>();

  constructor(t: TestContext, service: ExampleService) {
    this.#t = t;
    this.#service = service;
  }

  /** Opens the example of a page as its reader, with an empty cache. Gives the bytes that it took. */
  async open(shown: AnyOperation, reader: Reader): Promise<{ readonly page: Page; readonly bytes: number }> {
    const page = await this.#pageOf(readerOf(shown), reader);
    const sizes: Promise<number>[] = [];
    const count = (request: Request) => {
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    };
    page.on('requestfinished', count);
    const response = await page.goto(`${this.#service.url}${exampleOf(shown)}`);
    page.off('requestfinished', count);
    assert.equal(response?.status(), 200);
    return { page, bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) };
  }

  #pageOf(name: string | undefined, reader: Reader): Promise<Page> {
    const key = JSON.stringify([name, reader]);
    const page = this.#pages.get(key) ?? this.#newPage(name, reader);
    this.#pages.set(key, page);
    return page;
  }

  async #newPage(name: string | undefined, reader: Reader): Promise<Page> {
    const { page, context } = await openBrowser(this.#t, reader);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    const { url, signIn } = this.#service;
    if (name !== undefined) await context.addCookies([{ name: 'tessera', value: await signIn(name), url }]);
    return page;
  }
}

test('pages in a browser', { skip }, async (t) => {
  const service = await startExampleService();
  t.after(() => service.stop());
  const body = JSON.stringify({
    userName: `${LONG}@${LONG}.example.org`,
    password: PASSWORD,
    lastName: LONG,
  });
  const headers = {
    authorization: `Bearer ${await service.signIn('admin')}`,
    'content-type': 'application/json',
  };
  const added = await fetch(`${service.url}/api/admin/users`, { method: 'POST', headers, body });
  assert.equal(added.status, 201, await added.text());
  const windows = new Windows(t, service);
  for (const shown of pagesShown()) {
    await t.test(`${exampleOf(shown)} can be read by everybody`, async () => {
      const { page, bytes } = await windows.open(shown, {});
      assert.ok(bytes <= MOST, `${bytes} bytes`);
      await checkForEverybody(page);
    });

    await t.test(`${exampleOf(shown)} needs no scripts, and is there in German`, async () => {
      const english = await windows.open(shown, { width: 360, scripts: false });
      const heading = await checkForm(english.page, 'en');
      const german = await windows.open(shown, { width: 360, scripts: false, language: 'de-AT' });
      await checkForm(german.page, 'de');
      const texts = await Promise.all([english, german].map(({ page }) => page.locator('body').innerText()));
      assert.notEqual(texts[0], texts[1]);
      assert.ok(texts[0]?.includes(heading));
    });
  }
});
