import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type ExampleService, startExampleService } from '../../docs/pictures/example-service.ts';
import type { AnyOperation } from '../../src/operation.ts';
import { openBrowser, type Reader, whyNoBrowser } from '../service/browser.ts';
import { exampleOf, pagesShown, readerOf } from './page-examples.ts';

/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

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

/** What a page has to be for every reader: one heading, a title, its language, and no wider than the screen. */
async function checkForm(page: Page, language: string): Promise<string> {
  assert.equal(await page.locator('h1').count(), 1);
  const heading = (await page.locator('h1').innerText()).trim();
  assert.notEqual(heading, '');
  assert.match(await page.title(), /^\S.* · Tessera$/);
  assert.equal(await page.locator('html').getAttribute('lang'), language);
  const [needed, given] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
    number,
    number,
  ];
  assert.ok(needed <= given, `it is ${needed} pixels wide, and the screen ${given}`);
  return heading;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe, which is loaded, finds on a page: accessibility rules that it breaks. */
async function violationsOn(page: Page): Promise<string[]> {
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const found = (await page.evaluate(
    `axe.run(document, ${options}).then((all) => all.violations)`,
  )) as Violation[];
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n${node.html}\n${node.failureSummary}`),
  );
}

test('pages in a browser', { skip }, async (t) => {
  const service = await startExampleService();
  t.after(() => service.stop());
  for (const shown of pagesShown()) {
    await t.test(`${exampleOf(shown)} can be read by everybody`, async (t) => {
      const { page, bytes } = await open(t, service, shown, {});
      assert.ok(bytes <= MOST, `${bytes} bytes`);
      await page.evaluate(AXE);
      for (const width of [360, 1280])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          await checkForm(page, 'en');
          assert.deepEqual(await violationsOn(page), [], `${width} pixels, ${colorScheme}`);
        }
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
