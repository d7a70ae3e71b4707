import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedEvent } from '../../../src/core/domain/event.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { FROM_OWN_PAGE, Visitor } from '../../faces/pages/browse.ts';
import { PASSWORD } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { PasskeyVisitor } from '../factors/pages/passkey-visitor.ts';
import { registerApp } from '../factors/pages/second-factor-browse.ts';
import { askScim, bearer, patchOf } from '../scim/scim.ts';
import { addPerson, withMail } from './people.ts';

test('people hear by mail of a new second factor, of a recovery code that was used, and of a lock-out', async (t) => {
  const brand = {
    TESSERA_BRAND_NAME: 'Example & Sons',
    TESSERA_BRAND_HELP_URL: 'https://www.example.org/help',
  };
  const { server, service } = await withMail(
    t,
    { TESSERA_LOCKOUT_THRESHOLD: '5', TESSERA_THROTTLE_AFTER: '0', ...brand },
    openMemory,
  );
  await addPerson(service, 'anna', 'anna@example.org');
  const heard = (subject: string) =>
    until(subject, () => server.mails.some(({ parsed }) => parsed.subject === subject));
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const { codes } = await registerApp(visitor, Date.now());
  await heard('A second factor was added');
  const other = new Visitor(service);
  await other.signIn('anna');
  await other.post('/portal/second-factor', { code: codes[0] ?? '' });
  await heard('A recovery code was used');
  for (let n = 1; n <= 5; n += 1) await assert.rejects(logIn(service.url, 'anna', 'wrong'));
  const locks = () => server.mails.filter(({ parsed }) => parsed.subject === 'Your account is locked');
  await until('a lock-out', () => locks().length === 1);
  const headers = { authorization: `Bearer ${await service.addApiKey('administrator')}`, 'if-match': '*' };
  const change = async (path: string, method: string, body?: string) =>
    assert.equal(
      (await fetch(`${service.url}/api/admin/${path}`, { method, headers, body: body ?? null })).status,
      204,
    );
  await change('users/anna/second-factor', 'DELETE');
  await heard('Your second factors were removed');
  await change('lock-outs/anna', 'DELETE');
  // Lock-outs that strangers cause keep this one not back either.
  await service.store.write(async ({ events }) => {
    for (let n = 0; n < 3; n += 1)
      await events.append({ at: Date.now(), kind: 'mail-sent', user: 'anna', reason: 'lock' });
  });
  await change('users/anna', 'PATCH', '{"locked": true}');
  await until('a lock', () => locks().length === 2);
  const [text = '', byHand = ''] = locks().map((mail) => mail.text);
  assert.match(text, /locked on .* after too many wrong passwords\./);
  assert.match(byHand, /locked on .* by an administrator\./);
  assert.ok(server.mails.every(({ to }) => to[0] === 'anna@example.org'));
  // The name and the links of the operator stand in each, as text and as HTML.
  for (const { text, parsed } of server.mails) {
    assert.match(text, /Your account anna at Example & Sons|your account anna at Example & Sons/);
    assert.match(text, /\n\nHelp: https:\/\/www\.example\.org\/help\n$/);
    assert.match(String(parsed.html), /Example &amp; Sons/);
  }
});

test('mails that strangers cause keep no notice of a new password back', async (t) => {
  const { server, service } = await withMail(t, {}, openMemory);
  await addPerson(service, 'anna', 'anna@example.org');
  await service.store.write(async ({ events }) => {
    for (const reason of ['password-reset-requested', 'lock'])
      for (let n = 0; n < 3; n += 1)
        await events.append({ at: Date.now(), kind: 'mail-sent', user: 'anna', reason });
  });
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const path = '/portal/account/password';
  const fields = { oldPassword: PASSWORD, newPassword: 'another long horse battery' };
  assert.equal((await visitor.send(path, path, fields)).status, 303);
  await server.got(1);
  assert.equal(server.mails[0]?.parsed.subject, 'Your password was changed');
});

test('people hear by mail of a sign-in from a new place, once, and not of their first one', async (t) => {
  const { server, service } = await withMail(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' }, openMemory);
  await addPerson(service, 'anna', 'anna@example.org');
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const signIn = async (address: string, program = firefox) => {
    service.shiftClock(1_000);
    const headers = { 'x-forwarded-for': address, 'user-agent': program };
    const login = { method: 'POST', headers, body: JSON.stringify({ username: 'anna', password: PASSWORD }) };
    assert.equal((await fetch(`${service.url}/api/login`, login)).status, 200);
  };
  const told = async (most: number) => {
    const about = { user: 'anna', kind: 'login-unfamiliar', limit: 20 } as const;
    const list = await service.store.read(({ events }) => events.latest(about));
    assert.equal(list.length, most);
    const waiting = () => service.store.read(async ({ webhooks }) => (await webhooks.list())[0]?.waiting);
    await until('none waits', async () => (await waiting()) === 0);
  };
  await signIn('192.0.2.1');
  await signIn('192.0.2.1', 'curl/8.5.0');
  await told(0);
  // The same program in the same network, at another address of it.
  await signIn('192.0.2.2');
  await told(1);
  assert.equal(server.mails.length, 0);
  await signIn('198.51.100.7');
  await signIn('198.51.100.7');
  await told(2);
  await server.got(1);
  const { parsed, text } = server.mails[0] ?? assert.fail();
  assert.equal(parsed.subject, 'New sign-in to your account');
  assert.match(text, /\nAddress: 198\.51\.100\.7\n+Program: Firefox on Linux\n/);
  assert.match(text, /\nhttps:\/\/portal\.example\.org\/portal\/account\/not-me\n/);
  assert.match(String(parsed.html), /<a href="https:\/\/portal\.example\.org\/portal\/account\/not-me">/);
  // Three a day at most, so that they do not keep other notices back.
  for (const [at, address] of ['203.0.113.1', '2001:db8::1', '203.0.114.1'].entries()) {
    await signIn(address);
    await told(at + 3);
  }
  assert.equal(server.mails.length, 3);
});

test('people hear of a sign-in on a page with another browser at the address that they had; programs, passkeys and new versions cause no mail', async (t) => {
  const { server, service } = await withMail(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' }, openMemory);
  await addPerson(service, 'anna', 'anna@example.org');
  const firefox = (version: number) =>
    `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
  const safari =
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';
  const edge = `${chrome} Edg/140.0.0.0`;
  const own = { ...FROM_OWN_PAGE, 'x-forwarded-for': '192.0.2.1' };
  const signIn = async (program: string, fields: Record<string, string> = {}) => {
    service.shiftClock(1_000);
    const form = { username: 'anna', password: PASSWORD, ...fields };
    const answer = await new Visitor(service).post('/portal/login', form, { ...own, 'user-agent': program });
    assert.equal(answer.status, fields.password === undefined ? 303 : 403);
  };
  await addPerson(service, 'ben', 'ben@example.org');
  const ben = new PasskeyVisitor(service);
  const userHandle = await ben.makePasskey('ben');
  await server.got(1);
  service.shiftClock(1_000);
  const passkey = { challenge: await ben.challenge(), userHandle };
  assert.equal((await ben.sendAlone(passkey, { ...FROM_OWN_PAGE, 'user-agent': safari })).status, 303);
  await signIn(firefox(140));
  await signIn(firefox(141));
  await signIn('curl/8.5.0');
  await signIn(edge, { password: 'wrong' });
  const login = { method: 'POST', headers: { ...own, 'user-agent': safari } };
  const body = JSON.stringify({ username: 'anna', password: PASSWORD });
  assert.equal((await fetch(`${service.url}/api/login`, { ...login, body })).status, 200);
  await signIn(chrome);
  await signIn(chrome);
  await server.got(2);
  await signIn(edge);
  await server.got(3);
  const [, ...notices] = server.mails;
  const told = notices.map(({ text }) => /Address: (.*)\n+Program: (.*)/.exec(text)?.slice(1));
  assert.deepEqual(told, [
    ['192.0.2.1', 'Chrome on Windows'],
    ['192.0.2.1', 'Microsoft Edge on Windows'],
  ]);
  const events = async () => {
    const about = { user: 'anna', kind: 'login-unfamiliar', limit: 20 } as const;
    return await service.store.read((unit) => unit.events.latest(about));
  };
  assert.deepEqual(
    (await events()).map(({ reason, program }) => [reason, program]),
    [
      ['new browser', edge],
      ['new browser', chrome],
    ],
  );
  const [{ at }] = (await events()) as [RecordedEvent];
  const byScript = { at, user: 'anna', kind: 'login', from: '192.0.2.1', program: 'curl/8.5.0' } as const;
  await service.store.write(async (unit) => {
    for (let times = 0; times < 200; times += 1) await unit.events.append(byScript);
  });
  await signIn(firefox(140));
  assert.equal((await events()).length, 2, 'a browser may be behind the sign-ins that are compared');
});

test('nobody hears of a first sign-in, although another user had the name, or has it in other case', async (t) => {
  const settings = { TESSERA_TRUSTED_PROXIES: '127.0.0.1', TESSERA_NAMES_CASE_SENSITIVE: 'true' };
  const { service } = await withMail(t, settings, openMemory);
  const signIn = async (username: string, browser: string) => {
    service.shiftClock(1_000);
    const headers = {
      ...FROM_OWN_PAGE,
      'x-forwarded-for': '192.0.2.1',
      'user-agent': `Mozilla/5.0 ${browser}`,
    };
    const form = { username, password: PASSWORD };
    assert.equal((await new Visitor(service).post('/portal/login', form, headers)).status, 303);
  };
  const firefox = '(X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const chrome = '(Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
  for (const name of ['anna', 'Anna', 'ben']) await addPerson(service, name);
  await signIn('anna', firefox);
  await signIn('Anna', chrome);
  await signIn('ben', firefox);
  service.shiftClock(1_000);
  const authorization = `Bearer ${await service.addApiKey('administrator')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const users = `${service.url}/api/admin/users`;
  assert.equal((await fetch(`${users}/ben`, { method: 'DELETE', headers })).status, 204);
  const body = JSON.stringify({ userName: 'ben', password: PASSWORD, mustChangePassword: false });
  assert.equal((await fetch(users, { method: 'POST', headers, body })).status, 201);
  await signIn('ben', chrome);
  const told = { kind: 'login-unfamiliar', limit: 20 } as const;
  assert.deepEqual(await service.store.read(({ events }) => events.latest(told)), []);
});

test('the address before hears that an address was changed or removed, by whichever way', async (t) => {
  const { server, service } = await withMail(t, { TESSERA_SCIM: 'true' }, openMemory);
  await addPerson(service, 'anna', '0@example.org');
  const sent = async (method: string, path: string, body: object, authorization: string) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.text());
  };
  const key = `Bearer ${await service.addApiKey('administrator')}`;
  const scim = bearer(await service.addApiKey('scim'));
  const { body } = await askScim(service.url, 'GET /Users?filter=userName eq "anna"', undefined, scim);
  const replaced = (value: string) => patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value });
  const v1 = '/alfresco/api/-default-/public/alfresco/versions/1/people/anna';
  await sent('PATCH', '/api/admin/users/anna', { email: '1@example.org' }, key);
  await sent(
    'PATCH',
    `/scim/v2/Users/${body.Resources[0].id}`,
    replaced('2@example.org'),
    scim.authorization,
  );
  await sent('PUT', v1, { email: '3@example.org' }, basic(`admin:${PASSWORD}`).authorization);
  await sent('PATCH', '/api/admin/users/anna', { email: '' }, key);
  // More than the notices of an hour.
  for (const email of ['4@example.org', '5@example.org', '6@example.org'])
    await sent('PATCH', '/api/admin/users/anna', { email }, key);
  await server.got(6);
  assert.deepEqual(server.mails.map(({ to }) => to[0]).sort(), [
    '0@example.org',
    '1@example.org',
    '2@example.org',
    '3@example.org',
    '4@example.org',
    '5@example.org',
  ]);
  for (const { parsed, text } of server.mails) {
    assert.equal(parsed.subject, 'Your mail address was changed');
    assert.doesNotMatch(text, /@/);
  }
});
