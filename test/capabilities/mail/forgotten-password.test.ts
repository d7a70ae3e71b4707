import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EventKind } from '../../../src/core/domain/event.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { Visitor } from '../../faces/pages/browse.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { registerApp } from '../factors/pages/second-factor-browse.ts';
import { addPerson, linkIn, withMail } from './people.ts';

const FORM = '/portal/forgotten-password';
const CHOOSE = '/portal/choose-password';
const NEW = 'four quiet rivers meeting';

const request = (visitor: Visitor, username: string, headers: Record<string, string> = {}) =>
  visitor.post(FORM, { username }, { 'Sec-Fetch-Site': 'same-origin', ...headers });
const eventsOf = ({ store }: TestService, kind: EventKind) =>
  store.read(({ events }) => events.latest({ kind, limit: 50 }));
const refused = (url: string, name: string, password: string) =>
  assert.rejects(logIn(url, name, password), /Login failed/);

test('a link in a mail sets a new password once: tickets end, the second factor stays, and its secret is nowhere in the data', async (t) => {
  const { server, service } = await withMail(t);
  const user = await addPerson(service, 'anna', 'anna@example.org');
  const before = new Visitor(service);
  await before.signIn('anna');
  await registerApp(before, Date.now());
  const visitor = new Visitor(service);
  assert.match(await (await visitor.get('/portal/login')).text(), /href="\/portal\/forgotten-password"/);
  const refusedPage = await visitor.send('/portal/login', '/portal/login', {
    username: 'anna',
    password: 'x',
  });
  assert.match(await refusedPage.text(), /href="\/portal\/forgotten-password"/);
  const answer = await request(visitor, 'Anna', { 'accept-language': 'de' });
  assert.equal(answer.headers.get('location'), `${FORM}/sent`);
  await until('the link comes', async () => server.mails.some(({ text }) => text.includes(CHOOSE)));
  const mail = server.mails.find(({ text }) => text.includes(CHOOSE));
  assert.equal(mail?.parsed.subject, 'Neues Passwort wählen');
  const { path, id, key } = linkIn(mail);
  // A program that looks through mails opens the link, and another time.
  for (const _ of [1, 2]) assert.match(await (await visitor.get(path)).text(), /the account anna/);
  const weak = await visitor.send(path, CHOOSE, { newPassword: 'short' });
  assert.match(await weak.text(), /8 characters|characters/);
  const set = await visitor.send(path, CHOOSE, { newPassword: NEW });
  assert.equal(set.headers.get('location'), `${CHOOSE}/done`);
  assert.equal((await before.get('/portal/account')).status, 303, 'the ticket has ended');
  const signIn = await visitor.post('/portal/login', { username: 'anna', password: NEW });
  assert.equal(signIn.headers.get('location'), '/portal/second-factor');
  const again = await visitor.post(CHOOSE, { id, key, newPassword: 'four other rivers meeting' });
  assert.equal(again.headers.get('location'), CHOOSE);
  assert.match(await (await visitor.get(path)).text(), /This link does not work/);
  await until('the change is told', async () =>
    server.mails.some(({ text }) => /Passwort/.test(text) && !text.includes(CHOOSE)),
  );
  const [event] = await eventsOf(service, 'password-changed');
  assert.deepEqual(
    [event?.user, event?.actor, event?.reason],
    ['anna', undefined, 'by a link: password-reset'],
  );
  const forms = [key, Buffer.from(key, 'base64url').toString('hex')];
  for (const file of readdirSync(service.data, { recursive: true, withFileTypes: true }))
    if (file.isFile()) {
      const bytes = readFileSync(join(file.parentPath, file.name));
      for (const form of forms) assert.equal(bytes.indexOf(form), -1, file.name);
      assert.equal(bytes.indexOf(Buffer.from(key, 'base64url')), -1, file.name);
    }
  assert.doesNotMatch(service.lines.join('\n'), new RegExp(`${key}|anna@example.org`));
  assert.equal((await service.store.read(({ users }) => users.find(user.id)))?.hasSecondFactor, true);
});

test('the answer says nothing of the name: unknown, disabled, without an address or in a directory', async (t) => {
  const { server, service } = await withMail(t, {}, openMemory);
  const gone = await addPerson(service, 'gone', 'gone@example.org');
  await addPerson(service, 'quiet');
  const company = await addPerson(service, 'company', 'company@example.org');
  await service.store.write(async ({ users }) => {
    await users.change(gone.id, { disabled: true, generation: gone.generation + 1 });
    await users.change(company.id, { provider: 'ldap', passwordHash: undefined });
  });
  const answers = new Set<string>();
  for (const name of ['gone', 'quiet', 'company', 'nobody']) {
    const { status, headers } = await request(new Visitor(service), name);
    answers.add(`${status} ${headers.get('location')} ${headers.get('set-cookie')}`);
  }
  assert.deepEqual([...answers], [`303 ${FORM}/sent null`]);
  await until('three are told', async () => (await eventsOf(service, 'mail-failed')).length === 2);
  assert.deepEqual(
    (await eventsOf(service, 'mail-failed')).map(({ user, reason }) => `${user}: ${reason}`).sort(),
    ['gone: disabled', 'quiet: no address'],
  );
  await server.got(1);
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [['company@example.org']],
  );
  assert.match(server.mails[0]?.text ?? '', /not kept there: it is the one of your company account/);
  const requests = await eventsOf(service, 'password-reset-requested');
  assert.deepEqual(
    requests.map(({ user }) => user),
    [undefined, 'company', 'quiet', 'gone'],
  );
  assert.doesNotMatch(JSON.stringify(requests), /nobody/);
});

for (const makeStore of [openMemory, undefined])
  test(`who enters the mail address gets the link too, unless several have it: ${makeStore ? 'memory' : 'SQLite'}`, async (t) => {
    const { server, service } = await withMail(t, {}, makeStore);
    await addPerson(service, 'anna', 'Anna@example.org');
    await addPerson(service, 'other', 'anna@example.org.uk');
    for (const name of ['bert', 'berta']) await addPerson(service, name, 'shared@example.org');
    const visitor = new Visitor(service);
    for (const text of ['anna@Example.org', 'shared@example.org', 'nobody@example.org', '%@example.org'])
      assert.equal((await request(visitor, text)).headers.get('location'), `${FORM}/sent`);
    await server.got(1);
    assert.match(server.mails[0]?.text ?? '', /your account anna at/);
    const requests = await eventsOf(service, 'password-reset-requested');
    assert.deepEqual(
      requests.map(({ user }) => user),
      [undefined, undefined, undefined, 'anna'],
    );
    assert.doesNotMatch(JSON.stringify(requests), /@/);
    // Name and address have one limit together.
    for (const text of ['anna', 'anna@example.org', 'anna', 'ANNA@example.org']) await request(visitor, text);
    await server.got(3);
    assert.equal((await eventsOf(service, 'password-reset-requested')).length, 6);
  });

test('the newest link wins, a link ends after 20 minutes, and with every change of the password', async (t) => {
  const { server, service } = await withMail(t, {}, openMemory);
  await addPerson(service, 'anna', 'anna@example.org');
  const visitor = new Visitor(service);
  const works = async (n: number) =>
    /the account anna/.test(await (await visitor.get(linkIn(server.mails[n]).path)).text());
  for (const n of [1, 2]) {
    await request(visitor, 'anna');
    await server.got(n);
  }
  assert.deepEqual([await works(0), await works(1)], [false, true]);
  service.shiftClock(20 * 60_000);
  assert.equal(await works(1), false);
  await request(visitor, 'anna');
  await server.got(3);
  assert.equal(await works(2), true);
  await service.store.write(async ({ users }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(user.id, { generation: user.generation + 1 });
  });
  assert.equal(await works(2), false);
});

test('a name gets three links in an hour, and an address asks thirty times, with the same answers after that', async (t) => {
  const { server, service } = await withMail(t, {}, openMemory);
  await addPerson(service, 'anna', 'anna@example.org');
  const visitor = new Visitor(service);
  for (let n = 1; n <= 5; n += 1)
    assert.equal((await request(visitor, 'anna')).headers.get('location'), `${FORM}/sent`);
  const asked = async () => (await eventsOf(service, 'password-reset-requested')).length;
  assert.equal(await asked(), 3);
  await server.got(3);
  for (let n = 1; n <= 40; n += 1) await request(visitor, `nobody-${n}`);
  assert.equal(await asked(), 30);
  service.shiftClock(3_600_001);
  await request(visitor, 'anna');
  assert.equal(await asked(), 31);
  await server.got(4);
});

test('a link ends a lock-out by wrong passwords', async (t) => {
  const { server, service } = await withMail(
    t,
    { TESSERA_LOCKOUT_THRESHOLD: '5', TESSERA_THROTTLE_AFTER: '0' },
    openMemory,
  );
  await addPerson(service, 'anna', 'anna@example.org');
  for (let n = 1; n <= 5; n += 1) await refused(service.url, 'anna', 'wrong');
  await refused(service.url, 'anna', PASSWORD);
  await request(new Visitor(service), 'anna');
  await until('the link comes', async () => server.mails.some(({ text }) => text.includes(CHOOSE)));
  const { path } = linkIn(server.mails.find(({ text }) => text.includes(CHOOSE)));
  await new Visitor(service).send(path, CHOOSE, { newPassword: NEW });
  assert.ok(await logIn(service.url, 'anna', NEW));
  assert.equal((await eventsOf(service, 'unlock'))[0]?.user, 'anna');
});

test('programs ask for a link and use it by the v1 API, as at the reference', async (t) => {
  const { server, service } = await withMail(t, {}, openMemory);
  await addPerson(service, 'anna', 'anna@example.org');
  const call = async (name: string, what: string, body: object) => {
    const url = `${service.url}/alfresco/api/-default-/public/alfresco/versions/1/people/${name}/${what}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    return [response.status, await response.text()];
  };
  assert.deepEqual(await call('anna', 'request-password-reset', { client: 'share' }), [202, '']);
  assert.deepEqual(await call('nobody', 'request-password-reset', { client: 'share' }), [202, '']);
  assert.equal((await call('anna', 'request-password-reset', {}))[0], 400);
  await server.got(1);
  const { id, key } = linkIn(server.mails[0]);
  assert.equal((await call('anna', 'reset-password', { id, key }))[0], 400);
  assert.equal((await call('anna', 'reset-password', { id, key, password: 'short' }))[0], 400);
  for (const [name, secret] of [
    ['anna', { id, key: `${key}x` }],
    ['anna', { id: 'invitation', key }],
    ['admin', { id, key }],
  ] as const)
    assert.deepEqual(await call(name, 'reset-password', { ...secret, password: NEW }), [202, '']);
  await refused(service.url, 'anna', NEW);
  assert.deepEqual(await call('anna', 'reset-password', { id, key, password: NEW }), [202, '']);
  assert.ok(await logIn(service.url, 'anna', NEW));
});

test('without a mail server the sign-in page offers no link, and there is no page for it', async (t) => {
  const service = await startTestService(t, {}, openMemory);
  const visitor = new Visitor(service);
  assert.doesNotMatch(await (await visitor.get('/portal/login')).text(), /forgotten/);
  assert.equal((await visitor.get(FORM)).status, 404);
  assert.equal((await request(visitor, 'admin')).status, 404);
});
