import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor } from '../../../faces/pages/browse.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { startRuled } from './ruled.ts';

const HEADING = 'Services that you may open';

test('the account page lists the services that the user may open, by title, and says so if there is none', async (t) => {
  const ruled = await startRuled(t, [
    { host: 'wiki.example.org', path: '/admin', allow: 'none' },
    { host: 'wiki.example.org', title: 'Zoo of pages', allow: { groups: ['staff'] } },
    { host: 'build.example.org', path: '/täglich', logo: '/portal/mark.svg', allow: { users: ['mia'] } },
    { host: 'office.example.org', networks: ['10.0.0.0/8'], allow: { groups: ['editors'] } },
    { host: '*.example.org', allow: { groups: ['staff'] } },
  ]);
  const account = async (name: string) => {
    const visitor = new Visitor(ruled.service);
    await visitor.signIn(name);
    const page = await (await visitor.get('/portal/account')).text();
    return { page, ...readPage(page) };
  };
  const { links, text, page } = await account('mia');
  assert.match(text, new RegExp(HEADING));
  assert.deepEqual(
    links.filter(({ to }) => /example\.org/.test(to)).map((link) => [link.text, link.to]),
    [
      ['build.example.org', 'http://build.example.org/'],
      ['office.example.org', 'http://office.example.org/'],
      ['Zoo of pages', 'http://wiki.example.org/'],
    ],
  );
  const rows = [...page.matchAll(/class="tile"(.*?)<a href=".*?>(.*?)<\/a>/g)].map(([, tile, title]) => [
    title,
    tile,
  ]);
  assert.deepEqual(rows, [
    ['build.example.org', ' src="/portal/mark.svg" width="32" height="32" alt="">'],
    ['office.example.org', ' aria-hidden="true">O</span>'],
    ['Zoo of pages', ' aria-hidden="true">Z</span>'],
  ]);
  assert.match(
    (await account('ben')).text,
    /No service is open to you yet\. Ask your administrator for access\./,
  );
});

test('without rules the account page has no such section', async (t) => {
  const { service } = await startRuled(t, [], { TESSERA_GATE_RULES: '' });
  const visitor = new Visitor(service);
  await visitor.signIn('mia');
  assert.doesNotMatch(await (await visitor.get('/portal/account')).text(), new RegExp(HEADING));
});
