import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemory } from '../../engines/memory/open.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { startTestService } from '../../service/start.ts';

const skip = whyNoBrowser() ?? false;

/** Whether the page has tables, and the names of those that are cut off. */
const CUT = `(() => {
  const all = [...document.querySelectorAll('[role=region]')];
  return [all.length > 0, all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)];
})()`;

const NOTHING_CUT = [true, []];

for (const path of ['/index', '/index/uri', '/index/lifecycle']) {
  test(`nothing of ${path} has to be scrolled to the side 1024 pixels wide, and nothing is cut off on paper`, {
    skip,
  }, async (t) => {
    const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
    const { page } = await openBrowser(t, { width: 1024 });
    await page.goto(url + path);
    assert.deepEqual(await page.evaluate(CUT), NOTHING_CUT);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 700, height: 1000 });
    assert.deepEqual(await page.evaluate(CUT), NOTHING_CUT);
  });
}
