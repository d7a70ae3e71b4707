import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ICON_NAMES, icon } from '../../../src/faces/pages/parts/icons.ts';
import { badge } from '../../../src/faces/pages/parts/notice.ts';
import { startTestService } from '../../service/start.ts';
import { Visitor } from './browse.ts';
import { attributeOf, elementsIn, elementsNamed, onlyElement, textIn, textOf } from './markup.ts';

const SRC = new URL('../../../src/', import.meta.url);

test('all icons together are small, and each is used', () => {
  const all = ICON_NAMES.map((name) => String(icon(name))).join('');
  assert.ok(all.length < 10_000, `${all.length} bytes`);
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('parts/icons.ts'))
    .map((file) => readFileSync(new URL(file, SRC), 'utf8'))
    .join('\n');
  for (const name of ICON_NAMES) assert.match(sources, new RegExp(`'(console\\.)?${name}'`), name);
});

test('a state is told by its text, by an icon and by a colour', () => {
  const state = String(badge('bad', 'Disabled'));
  assert.equal(textIn(badge('bad', 'Disabled')), 'Disabled');
  onlyElement(state, 'svg', { 'aria-hidden': 'true' });
});

/** Whether this is a button that stands out: the first thing to do on a page. */
const standsOut = (names: string | undefined) => !/\b(quiet|compact|danger|plain)\b/.test(names ?? '');

test('a page of the console has an icon for each section beside its name, and one button that stands out at most', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna', { administrator: true });
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const first = await (await visitor.get('/portal/console')).text();
  const sections = elementsNamed(onlyElement(first, 'nav', { class: 'side' }), 'a');
  assert.ok(sections.length > 8);
  for (const section of sections) {
    onlyElement(section, 'svg', { 'aria-hidden': 'true' });
    assert.notEqual(textOf(section), '');
  }
  const paths = sections.map((section) => attributeOf(section, 'href') ?? '');
  for (const path of ['/portal/account', '/portal/console/users/anna', ...paths]) {
    const page = onlyElement(await (await visitor.get(path)).text(), 'main');
    const buttons = elementsIn(page)
      .filter((each) => each.tagName === 'button' || /\bbutton\b/.test(attributeOf(each, 'class') ?? ''))
      .filter((each) => standsOut(attributeOf(each, 'class')));
    assert.ok(buttons.length <= 1, `${path}: ${buttons.map(textOf).join(', ')}`);
  }
});
