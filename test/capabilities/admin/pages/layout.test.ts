import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../../../src/core/domain/role.ts';
import { consolePage, doneNotice } from '../../../../src/faces/pages/console/layout.ts';
import { html } from '../../../../src/faces/pages/html.ts';
import type { Reader } from '../../../../src/faces/pages/layout.ts';
import { CONSOLE_SECTIONS } from '../../../../src/faces/pages/layout.ts';
import { sayIn } from '../../../../src/faces/pages/texts/texts.ts';
import { CAPABILITIES } from '../../../../src/main/capabilities.ts';
import { pagesWith } from '../../../../src/main/pages.ts';
import { attributeOf, elementsNamed, onlyElement, textOf } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';

const reader = (role: Role): Reader => ({
  ...{ language: 'en', say: sayIn('en'), formToken: 'the token', user: { name: 'anna', role } },
});

const PAGES = await pagesWith(CAPABILITIES);

const page = { title: 'A & B', current: '/portal/console/users', body: html`<p>body</p>` };

const linksFor = (role: Role) => {
  const side = onlyElement(consolePage(reader(role), page).text, 'nav', { class: 'side' });
  return elementsNamed(side, 'a').map(textOf);
};

test('the navigation of the console shows the sections that the role may open', () => {
  assert.deepEqual(linksFor('auditor'), ['Overview', 'Tickets', 'Events']);
  assert.equal(linksFor('operator').length, 11);
  assert.equal(linksFor('administrator').length, 11);
});

test('each section of the navigation is a page that its role opens', () => {
  for (const { to, role } of CONSOLE_SECTIONS) {
    const path = to.slice('/portal'.length) as `/${string}`;
    const shown = PAGES.find(({ method, paths }) => method === 'GET' && paths.includes(path));
    assert.equal(shown?.role, role, to);
  }
});

test('a page of the console has its heading once, with what can be done beside it', () => {
  const actions = html`<a href="/portal/console/users/new">Add</a>`;
  const up = { to: '/portal/console', text: 'All' };
  const { text } = consolePage(reader('operator'), { ...page, actions, up });
  assert.equal(textOf(onlyElement(text, 'h1')), 'A & B');
  assert.match(textOf(onlyElement(text, 'main')), /All\s*A & B\s*Add\s*body/);
  assert.equal(readPage(text).links.find((link) => link.text === 'All')?.to, '/portal/console');
  onlyElement(text, 'a', { href: '/portal/console/users', 'aria-current': 'page' });
});

test('a notice is one of the page, and never a text from the address', () => {
  const notices = { added: 'console.users' } as const;
  const notice = onlyElement(String(doneNotice(reader('operator'), 'added', notices)), 'div');
  assert.deepEqual([attributeOf(notice, 'role'), textOf(notice)], ['status', 'Users']);
  for (const done of [undefined, 'console.users', 'toString', '<b>'])
    assert.equal(doneNotice(reader('operator'), done, notices), undefined);
});
