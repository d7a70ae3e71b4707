import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../../../src/core/domain/role.ts';
import { consolePage, doneNotice } from '../../../../src/faces/pages/console/layout.ts';
import { CONSOLE_SECTIONS } from '../../../../src/faces/pages/console/navigation.ts';
import { html } from '../../../../src/faces/pages/html.ts';
import type { Reader } from '../../../../src/faces/pages/layout.ts';
import { sayIn } from '../../../../src/faces/pages/texts/texts.ts';
import { CAPABILITIES } from '../../../../src/main/capabilities.ts';
import { pagesWith } from '../../../../src/main/pages.ts';

const reader = (role: Role): Reader => ({
  ...{ language: 'en', say: sayIn('en'), formToken: 'the token', user: { name: 'anna', role } },
});

const PAGES = await pagesWith(CAPABILITIES);

const page = { title: 'A & B', current: '/portal/console/users', body: html`<p>body</p>` };

const linksFor = (role: Role) => {
  const [, side = ''] =
    /<nav class="side"[^>]*>(.*?)<\/nav>/s.exec(consolePage(reader(role), page).text) ?? [];
  return [...side.matchAll(/>([^<]+)<\/a>/g)].map(([, text]) => text);
};

test('the navigation of the console shows the sections that the role may open', () => {
  assert.deepEqual(linksFor('auditor'), ['Overview', 'Tickets', 'Events']);
  assert.equal(linksFor('operator').length, 10);
  assert.equal(linksFor('administrator').length, 10);
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
  assert.equal(text.match(/<h1>/g)?.length, 1);
  assert.match(text, /<a href="\/portal\/console">All<\/a>.*<h1>A &amp; B<\/h1>.*>Add<.*<p>body<\/p>/s);
  assert.match(text, /<a href="\/portal\/console\/users" aria-current="page">/);
});

test('a notice is one of the page, and never a text from the address', () => {
  const notices = { added: 'console.users' } as const;
  assert.match(String(doneNotice(reader('operator'), 'added', notices)), /role="status">Users</);
  for (const done of [undefined, 'console.users', 'toString', '<b>'])
    assert.equal(doneNotice(reader('operator'), done, notices), undefined);
});
