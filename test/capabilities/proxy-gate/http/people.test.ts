import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../../../../src/main/settings.ts';
import { assertSound, exchange, type Heard } from '../../../core/http/scenario.ts';
import { attributeOf, onlyElement, textOf } from '../../../faces/pages/markup.ts';
import { readPage } from '../../../faces/pages/read-page.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { bearer, TRUSTED } from './asking.ts';
import { type Ruled, startRuled } from './ruled.ts';

const RULES = [
  { path: '/closed', allow: 'none' as const },
  { path: '/users', allow: 'signed-in' as const },
  { path: '/one', allow: { users: ['mia'] } },
  { allow: { groups: ['editors', 'admins'] } },
];

/** What a browser sends that goes to an address. */
const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html,*/*;q=0.8' };
/** The same from a browser without Fetch metadata. */
const OLD = { Accept: 'text/html,application/xhtml+xml' };

const signIn = (origin: string, back: string, more = '') =>
  `${origin}/portal/login?${more}return=${encodeURIComponent(back)}`;

/** Status and way to the sign-in page. */
const wayIn = ({ status, headers }: Heard) => [status, headers.location];

test('a browser without a live ticket is sent to the sign-in page, with the way back', async (t) => {
  const { ask } = await startRuled(t, RULES);
  const expected = [302, signIn('https://x', '/users?a=1&b=%2F')];
  for (const headers of [NAVIGATION, OLD, { ...OLD, 'Sec-Fetch-Mode': 'navigate' }]) {
    const heard = await ask('GET x/users?a=1&b=%2F', undefined, headers);
    assert.deepEqual(wayIn(heard), expected);
    assertSound(heard);
  }
  const heard = await ask('POST x/users', undefined, NAVIGATION);
  assert.deepEqual(wayIn(heard), [302, signIn('https://x', '/users')]);
});

test('a program without a live ticket gets 401, and so does a script in a page', async (t) => {
  const { ask } = await startRuled(t, RULES);
  for (const headers of [
    {},
    { Accept: '*/*' },
    { Accept: 'application/json' },
    { ...OLD, 'Sec-Fetch-Mode': 'cors' },
    { ...OLD, 'X-Requested-With': 'XMLHttpRequest' },
  ]) {
    const heard = await ask('GET x/users', undefined, headers as Record<string, string>);
    assert.deepEqual(wayIn(heard), [401, undefined], JSON.stringify(headers));
  }
  assert.deepEqual(wayIn(await ask('PUT x/users', undefined, OLD)), [401, undefined]);
});

test('nginx is given 401 with the way to the sign-in page: it passes no redirect on', async (t) => {
  const { service } = await startRuled(t, RULES, { TESSERA_GATE_URI_HEADER: 'X-Original-URL' });
  const told = { 'X-Original-Method': 'GET', 'X-Original-URL': 'https://x:8443/users?a' };
  const heard = await exchange(service.url, 'GET /gate', { headers: { ...told, ...NAVIGATION } });
  assert.deepEqual(wayIn(heard), [401, signIn('https://x:8443', '/users?a')]);
  assert.ok(heard.headers['www-authenticate']);
});

test('a credential of the protected service itself leaves the ticket in the cookie its say', async (t) => {
  const { ask, tickets } = await startRuled(t, RULES);
  const cookie = `__Host-tessera=${tickets.mia}`;
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  for (const authorization of [
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    basic('ben:own'),
    basic('token:'),
    'Bearer tsk_x',
  ])
    assert.equal((await ask('GET x/users', undefined, { cookie, authorization })).status, 204, authorization);
  const alone = { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' };
  assert.equal((await ask('GET x/users', undefined, alone)).status, 401);
  const dead = { cookie, authorization: `Bearer TICKET_${'0'.repeat(40)}` };
  assert.equal((await ask('GET x/users', undefined, dead)).status, 401, 'a ticket counts before the cookie');
});

test('without rules a browser is sent to the sign-in page too', async (t) => {
  const { ask } = await startRuled(t, [], { TESSERA_GATE_RULES: '' });
  assert.deepEqual(wayIn(await ask('GET x/a', undefined, NAVIGATION)), [302, signIn('https://x', '/a')]);
  assert.equal((await ask('GET x/a', 'mia', NAVIGATION)).status, 204);
});

test('a portal on a host of its own is named by a setting, and shares its cookie with the host of the service', async (t) => {
  const portal = { TESSERA_PORTAL_URL: 'https://tickets.example.org/', TESSERA_COOKIE_DOMAIN: 'example.org' };
  const { ask } = await startRuled(t, RULES, portal);
  const way = async (host: string) => wayIn(await ask(`GET ${host}/users`, undefined, NAVIGATION));
  const portalAt = 'https://tickets.example.org';
  assert.deepEqual(await way('wiki.example.org'), [302, signIn(portalAt, 'https://wiki.example.org/users')]);
  assert.deepEqual(await way('example.org'), [302, signIn(portalAt, 'https://example.org/users')]);
  assert.deepEqual(await way('tickets.example.org'), [302, signIn(portalAt, '/users')]);
  // A ticket of the portal never reaches this host: the browser would be sent in a circle.
  assert.deepEqual(await way('wiki.example.com'), [401, undefined]);
  assert.deepEqual(await way('evilexample.org'), [401, undefined]);
});

test('a browser is sent nowhere if the portal is off, its host is not served, or the proxy tells no scheme', async (t) => {
  const way = async (env: Record<string, string>, headers: Record<string, string> = {}) => {
    const { ask } = await startRuled(t, RULES, env);
    return wayIn(await ask('GET wiki.example.org/users', undefined, { ...NAVIGATION, ...headers }));
  };
  assert.deepEqual(await way({ TESSERA_PORTAL: 'false' }), [401, undefined]);
  assert.deepEqual(await way({ TESSERA_HOSTS: 'tickets.example.org,127.0.0.1' }), [401, undefined]);
  assert.deepEqual(await way({ TESSERA_HOSTS: 'wiki.example.org,127.0.0.1' }, { 'X-Forwarded-Proto': '' }), [
    401,
    undefined,
  ]);
  const back = signIn('https://wiki.example.org', '/users');
  assert.deepEqual(await way({ TESSERA_HOSTS: 'wiki.example.org,127.0.0.1' }), [302, back]);
  assert.deepEqual(await way({ TESSERA_HOSTS: '' }), [302, back]);
});

test('the way back holds no ticket', async (t) => {
  const { ask } = await startRuled(t, RULES);
  const query = '?a=1&alf_ticket=TICKET_1&alf%5Fticket=TICKET_2&ALF_TICKET=TICKET_3&b=2&%=1';
  const { headers } = await ask(`GET x/users${query}`, undefined, NAVIGATION);
  assert.equal(headers.location, signIn('https://x', '/users?a=1&b=2&%=1'));
  const alone = await ask('GET x/users?alf_ticket=TICKET_1', undefined, NAVIGATION);
  assert.equal(alone.headers.location, signIn('https://x', '/users'));
  const long = await ask(`GET x/users?${'a'.repeat(5_000)}`, undefined, NAVIGATION);
  assert.equal(long.headers.location, 'https://x/portal/login');
});

const page = async ({ ask }: Ruled, what: string, caller?: 'mia' | 'ben', language = 'en') => {
  const heard = await ask(what, caller, { ...NAVIGATION, 'Accept-Language': language });
  assert.equal(heard.status, 403);
  assert.equal(heard.headers['content-type'], 'text/html;charset=UTF-8');
  assert.match(heard.headers['content-security-policy'] as string, /default-src 'none'/);
  assertSound(heard);
  return heard.text;
};

test('a person whom a rule does not let through reads what is missing, as whom, and how to sign in as another user', async (t) => {
  const ruled = await startRuled(t, RULES);
  const english = await page(ruled, 'GET x/a', 'ben');
  onlyElement(english, 'html', { lang: 'en' });
  const { heading, text, facts, links } = readPage(english);
  assert.equal(heading, 'No access');
  assert.match(text, /This page is for members of editors or admins\./);
  assert.ok([...facts.values()].includes('ben'));
  const again = links.find((link) => link.text === 'Sign in as another user');
  assert.equal(again?.to, signIn('https://x', '/a', 'again=yes&'));
  const german = await page(ruled, 'GET x/a', 'ben', 'de-AT,en;q=0.5');
  onlyElement(german, 'html', { lang: 'de' });
  assert.match(german, /Diese Seite ist für Mitglieder von editors oder admins\./);
  const others = await page(ruled, 'GET x/one', 'ben');
  assert.match(others, /This page is for other users\./);
  assert.doesNotMatch(others, /mia/);
});

test('an address that is closed to all says so, and offers no sign-in', async (t) => {
  const ruled = await startRuled(t, RULES);
  for (const caller of [undefined, 'ben'] as const) {
    const text = await page(ruled, 'GET x/closed', caller);
    assert.match(text, /closed to everyone/);
    assert.doesNotMatch(text, /portal\/login/);
  }
});

test('a program that is not let through gets JSON, and so does everybody without the portal', async (t) => {
  const ruled = await startRuled(t, RULES);
  const heard = await ruled.ask('GET x/a', 'ben', { Accept: 'application/json' });
  assert.deepEqual([heard.status, JSON.parse(heard.text).status.code], [403, 403]);
  const without = await startRuled(t, RULES, { TESSERA_PORTAL: 'false' });
  const refused = await without.ask('GET x/a', 'ben', NAVIGATION);
  assert.deepEqual([refused.status, JSON.parse(refused.text).status.code], [403, 403]);
});

test('a client that is no trusted proxy is told nothing of a sign-in page', async (t) => {
  const { ask } = await startRuled(t, RULES, { TESSERA_TRUSTED_PROXIES: '10.0.0.1' });
  const heard = await ask('GET x/users', undefined, NAVIGATION);
  assert.deepEqual(wayIn(heard), [403, undefined]);
  assert.match(heard.text, /^\{/);
  const plain = await startRuled(t, [], {
    ...TRUSTED,
    TESSERA_GATE_RULES: '',
    TESSERA_TRUSTED_PROXIES: '10.0.0.1',
  });
  const direct = await exchange(plain.service.url, 'GET /gate', {
    headers: { ...NAVIGATION, ...bearer('TICKET_1') },
  });
  assert.deepEqual(wayIn(direct), [401, undefined]);
});

test('the address of the portal is an origin', () => {
  const read = (url: string) => () => readSettings({ flags: {}, env: { TESSERA_PORTAL_URL: url } });
  for (const url of [
    'tickets.example.org',
    'https://tickets.example.org/portal',
    'ftp://tickets.example.org',
    'https://a@b/',
  ])
    assert.throws(read(url), /TESSERA_PORTAL_URL: .*write one such as https:\/\/tickets\.example\.org/, url);
  assert.equal(read('https://tickets.example.org/')().settings.portalUrl, 'https://tickets.example.org');
});

test('the page has the name, logo, colour and links of the operator, and the language and theme that the reader chose', async (t) => {
  const logo = join(await temporaryFolder(t), 'logo.svg');
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  const { ask } = await startRuled(t, RULES, {
    TESSERA_BRAND_NAME: 'Example & Sons',
    TESSERA_BRAND_LOGO: logo,
    TESSERA_BRAND_ACCENT: '#ffcc00',
    TESSERA_BRAND_HELP_URL: 'https://www.example.org/help',
  });
  const cookie = '__Host-tessera-language=de; __Host-tessera-theme=dark';
  const { text, headers } = await ask('GET x/a', 'ben', { ...NAVIGATION, cookie });
  assert.equal(textOf(onlyElement(text, 'title')), 'Kein Zugriff · Example & Sons');
  onlyElement(text, 'html', { lang: 'de', 'data-theme': 'dark' });
  const picture = attributeOf(onlyElement(text, 'img'), 'src') ?? '';
  assert.match(picture, /^data:image\/svg\+xml;base64,/);
  assert.equal(textOf(onlyElement(text, 'header')).trim(), 'Example & Sons');
  const whom = readPage(text).links.filter(({ to }) => to === 'https://www.example.org/help');
  assert.deepEqual(whom.map((link) => link.text).sort(), ['Hilfe', 'Wen Sie fragen können']);
  const style = textOf(onlyElement(text, 'style'));
  assert.match(style, /:root\{--link:#856a00\}/);
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = String(headers['content-security-policy']);
  assert.ok(policy.includes(`style-src 'sha256-${hash}';img-src data:;`), policy);
});
