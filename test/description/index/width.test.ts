import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNoBrowser } from '../../service/chromium.ts';
import { measured } from '../../service/measured.ts';
import { startTestService } from '../../service/start.ts';
import { openMemory } from '../../storage/memory/open.ts';

const skip = whyNoBrowser() ?? false;

/** The number of tables and blocks, and those that are cut off, on a page of this width. */
const cutAt = (width: number) => `document.documentElement.style.width = '${width}px';
const all = [...document.querySelectorAll('[role=region]')];
const cut = all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel);
document.documentElement.title = JSON.stringify([all.length > 0, cut])`;

const NOTHING_CUT = [true, []];
const read = (title: string | undefined) => JSON.parse((title ?? '').replaceAll('&quot;', '"'));

for (const path of ['/index', '/index/uri', '/index/lifecycle', '/index/operation/rule/actiondefs.get']) {
  test(`on a screen 1024 pixels wide nothing of ${path} has to be scrolled to the side`, {
    skip,
  }, async (t) => {
    const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
    assert.deepEqual(read(await measured(t, url + path, cutAt(1024))), NOTHING_CUT);
  });

  test(`nothing of ${path} is cut off on paper, which cannot be scrolled`, { skip }, async (t) => {
    const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
    const onPaper = (text: string) => text.replaceAll('@media print', '@media all');
    assert.deepEqual(read(await measured(t, url + path, cutAt(700), onPaper)), NOTHING_CUT);
  });
}
