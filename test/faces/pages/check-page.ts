import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What can be pressed on a page, and headings of columns, beside the screen or the box of a table: readers find it only by scrolling sideways. */
const BESIDE_THE_SCREEN = `[...document.querySelectorAll('main :is(a, button, input, select, th:not(.number))')].filter((each) => {
  const box = each.closest('.table')?.getBoundingClientRect().right ?? innerWidth;
  return each.getBoundingClientRect().right > Math.min(box, innerWidth);
}).map((each) => each.outerHTML)`;

/**
 * What a page has to be for every reader: one heading, a title, its language, no wider than the screen, and all that can be
 * pressed within it.
 */
export async function checkForm(page: Page, language: string): Promise<string> {
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
  assert.deepEqual(await page.evaluate(BESIDE_THE_SCREEN), []);
  return heading;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds on a page: accessibility rules that it breaks. */
export async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const found = (await page.evaluate(
    `axe.run(document, ${options}).then((all) => all.violations)`,
  )) as Violation[];
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}\n${node.html}\n${node.failureSummary}`),
  );
}

/** Looks at the page that the browser shows, on a phone and on a screen, in light and in dark colours: everybody can read it. */
export async function checkForEverybody(page: Page): Promise<void> {
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await checkForm(page, 'en');
      // Each width and each scheme once: no rule of axe depends on both, and axe takes most of the time.
      if ((width === 360) === (colorScheme === 'light'))
        assert.deepEqual(await violationsOn(page), [], `${width} pixels, ${colorScheme}`);
    }
}
