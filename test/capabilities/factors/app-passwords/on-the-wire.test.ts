import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import {
  addUser,
  anAppPassword,
  aTicket,
  issue,
  issueFrom,
} from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { addAppPassword, dropAppPassword } from '../../../service/app-passwords.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { ask, basic } from '../../../service/talk.ts';
import { eventually } from '../../../service/until.ts';

const TICKETS = '/alfresco/api/-default-/public/authentication/versions/1/tickets';
const JSON_BODY = { 'content-type': 'application/json' };

/** Each way in which a client sends name and password. It gives the status, and the ticket if it got one. */
const WAYS = {
  async get({ url }: TestService, u: string, pw: string, headers = {}) {
    const { status, text } = await ask(`${url}/api/login?${new URLSearchParams({ u, pw })}`, { headers });
    return { status, ticket: /TICKET_\w+/.exec(text)?.[0] };
  },
  async post({ url }: TestService, username: string, password: string, headers = {}) {
    const body = JSON.stringify({ username, password });
    const { status, text } = await ask(`${url}/api/login`, { method: 'POST', body, headers });
    return { status, ticket: /TICKET_\w+/.exec(text)?.[0] };
  },
  async v1({ url }: TestService, userId: string, password: string, headers = {}) {
    const body = JSON.stringify({ userId, password });
    const sent = { ...JSON_BODY, ...headers };
    const { status, text } = await ask(url + TICKETS, { method: 'POST', body, headers: sent });
    return { status, ticket: /TICKET_\w+/.exec(text)?.[0] };
  },
  async basic({ url }: TestService, name: string, password: string, headers = {}) {
    const asked = { headers: { ...basic(`${name}:${password}`), ...headers } };
    const { status } = await ask(`${url}/api/people/${name}/preferences`, asked);
    return { status, ticket: undefined };
  },
};

const LOGINS = ['get', 'post', 'v1'] as const;

/** A service with the user anna, who has an app password. */
async function withAnna(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  await service.addUser('anna');
  return { service, secret: await addAppPassword(service.store, 'anna') };
}

const isLive = async ({ url }: TestService, ticket: string) =>
  (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status === 200;

const events = ({ store }: TestService) => store.read((unit) => unit.events.list({}));

/** The reasons of the refused logins, the last one first. */
async function refusals(service: TestService): Promise<(string | undefined)[]> {
  const refused = (await events(service)).filter(({ kind }) => kind === 'login-refused');
  return refused.map(({ reason }) => reason).reverse();
}

for (const [name, way] of Object.entries(WAYS))
  test(`an app password works by ${name}, for its own user only`, async (t) => {
    const { service, secret } = await withAnna(t);
    await service.addUser('bert');
    assert.equal((await way(service, 'anna', secret)).status, 200 + Number(name === 'v1'));
    assert.equal((await way(service, 'ANNA', secret)).status, 200 + Number(name === 'v1'));
    const refused = name === 'basic' ? 401 : 403;
    const changed = secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const [user, password] of [
      ['bert', secret],
      ['anna', changed],
      ['nobody', secret],
    ] as const)
      assert.equal((await way(service, user, password)).status, refused, `${user} ${password}`);
    const [unknownName, ...others] = await refusals(service);
    assert.deepEqual(
      [unknownName, ...others],
      ['unknown-name', 'unknown app password', 'unknown app password'],
    );
  });

test('the answer does not tell a refused app password from a wrong password', async (t) => {
  const { service, secret } = await withAnna(t);
  const text = async (password: string) => {
    const body = JSON.stringify({ username: 'anna', password });
    const answered = await ask(`${service.url}/api/login`, { method: 'POST', body });
    return answered.text.replaceAll(/[0-9a-f]{8}-\w+|\d{4}-\d\d-\d\dT[\d:.]+Z?|\d\d:\d\d:\d\d/g, '');
  };
  assert.equal(await text(`${secret.slice(0, -4)}aaaa`), await text('wrong'));
});

test('the ticket of an app password says from which it came, and so does the event of the login', async (t) => {
  const { service, secret } = await withAnna(t);
  for (const way of LOGINS) await WAYS[way](service, 'anna', secret);
  await WAYS.post(service, 'anna', PASSWORD);
  const origins = await service.store.read(async ({ users, tickets }) => {
    const { id = 0 } = (await users.findByKey('anna')) ?? {};
    return tickets.originsOf(await tickets.listOf(id));
  });
  const names = origins.map((origin) => origin?.appPassword);
  assert.deepEqual(names.sort(), ['mail', 'mail', 'mail', undefined]);
  const reasons = (await events(service)).flatMap(({ kind, user, reason }) =>
    kind === 'login' && user === 'anna' ? [reason] : [],
  );
  assert.deepEqual(reasons, [...LOGINS.map(() => 'app password mail'), undefined]);
});

test('an app password that is removed is refused at once, and its tickets are dead', async (t) => {
  const { service, secret } = await withAnna(t);
  // The first use from an address has something to write, and is checked on another way than the next ones.
  for (let time = 0; time < 2; time += 1)
    assert.equal((await WAYS.basic(service, 'anna', secret)).status, 200);
  const { ticket = '' } = await WAYS.post(service, 'anna', secret);
  const { ticket: other = '' } = await WAYS.post(service, 'anna', PASSWORD);
  assert.deepEqual([await isLive(service, ticket), await isLive(service, other)], [true, true]);
  await dropAppPassword(service.store, 'anna');
  assert.deepEqual([await isLive(service, ticket), await isLive(service, other)], [false, true]);
  assert.equal((await WAYS.basic(service, 'anna', secret)).status, 401);
  for (const way of LOGINS) assert.equal((await WAYS[way](service, 'anna', secret)).status, 403);
});

test('an app password is refused from its expiry on', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  service.stopClock();
  const secret = await addAppPassword(service.store, 'anna', { expiresAt: Date.now() + 60_000 });
  assert.equal((await WAYS.basic(service, 'anna', secret)).status, 200);
  assert.equal((await WAYS.post(service, 'anna', secret)).status, 200);
  service.shiftClock(120_000);
  assert.equal((await WAYS.basic(service, 'anna', secret)).status, 401);
  for (const way of LOGINS) assert.equal((await WAYS[way](service, 'anna', secret)).status, 403);
  assert.deepEqual(new Set(await refusals(service)), new Set(['app password expired']));
});

test('a running service removes app passwords that expired, and ends their tickets', async (t) => {
  const store = openMemory();
  const anna = await addUser(store, 'anna');
  const at = Date.now() - 1_000;
  const expired = anAppPassword(1, anna.id, 'mail', { expiresAt: at });
  await store.write((unit) => unit.appPasswords.add(expired));
  const times = { issuedAt: at, usedAt: at };
  const origin = { from: '192.0.2.1', program: undefined, appPassword: 'mail' };
  await issueFrom(store, origin, aTicket(1, anna, times));
  await issue(store, aTicket(2, anna, times));
  await startTestService(t, {}, () => store);
  await eventually(async () =>
    assert.deepEqual(await store.read((unit) => unit.appPasswords.ofUser(anna.id)), []),
  );
  const kept = await store.read((unit) => unit.tickets.listOf(anna.id));
  assert.deepEqual(kept, [aTicket(2, anna, times)]);
});

test('the list of addresses counts for the client that a trusted proxy names', async (t) => {
  const { service } = await withAnna(t, { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const addresses = ['192.0.2.0/24', '2001:db8::/48'];
  const secret = await addAppPassword(service.store, 'anna', { name: 'office', addresses });
  const from = (client: string) => ({ 'x-forwarded-for': client });
  for (const client of ['192.0.2.77', '2001:db8:0:1::5', '::ffff:192.0.2.3']) {
    assert.equal((await WAYS.post(service, 'anna', secret, from(client))).status, 200, client);
    assert.equal((await WAYS.basic(service, 'anna', secret, from(client))).status, 200, client);
  }
  for (const client of ['192.0.3.1', '2001:db8:1::5']) {
    assert.equal((await WAYS.get(service, 'anna', secret, from(client))).status, 403, client);
    assert.equal((await WAYS.basic(service, 'anna', secret, from(client))).status, 401, client);
  }
  assert.equal((await WAYS.v1(service, 'anna', secret)).status, 403, 'the address of the proxy itself');
  assert.deepEqual(new Set(await refusals(service)), new Set(['address not allowed for app password']));
});

test('refused app passwords count as failures, and a user who is locked out is refused with a right one', async (t) => {
  const env = { TESSERA_LOCKOUT_THRESHOLD: '3', TESSERA_THROTTLE_AFTER: '0' };
  const { service, secret } = await withAnna(t, { ...env, TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const elsewhere = { 'x-forwarded-for': '198.51.100.1' };
  for (let time = 0; time < 3; time += 1)
    assert.equal((await WAYS.post(service, 'anna', `tap_${'a'.repeat(32)}`, elsewhere)).status, 403);
  assert.equal((await WAYS.post(service, 'anna', secret, elsewhere)).status, 403);
  assert.equal((await WAYS.post(service, 'anna', PASSWORD, elsewhere)).status, 403);
  assert.ok((await events(service)).some(({ kind, user }) => kind === 'lock' && user === 'anna'));
});

test('a user who is locked by hand or disabled is refused, and the reason says that', async (t) => {
  const { service, secret } = await withAnna(t);
  const change = (change: { lockedUntil?: number; disabled?: boolean }) =>
    service.store.write(async ({ users }) => {
      const { id = 0 } = (await users.findByKey('anna')) ?? {};
      await users.change(id, change);
    });
  await change({ lockedUntil: 8_640_000_000_000_000 });
  assert.equal((await WAYS.post(service, 'anna', secret)).status, 403);
  assert.equal((await WAYS.basic(service, 'anna', secret)).status, 401);
  await change({ lockedUntil: 0, disabled: true });
  assert.equal((await WAYS.post(service, 'anna', secret)).status, 403);
  assert.deepEqual(await refusals(service), ['disabled', 'locked-by-hand', 'locked-by-hand']);
});

test('it outlives a change of the password, works with a second factor and while a new password is due', async (t) => {
  const { service, secret } = await withAnna(t);
  await service.addUser('anna', { password: 'another-horse-battery' });
  await service.store.write(async ({ users }) => {
    const { id = 0, generation = 0 } = (await users.findByKey('anna')) ?? {};
    await users.change(id, {
      ...{ generation: generation + 1, mustChangePassword: true, hasSecondFactor: true },
    });
  });
  assert.equal((await WAYS.post(service, 'anna', secret)).status, 200);
  for (let time = 0; time < 2; time += 1)
    assert.equal((await WAYS.basic(service, 'anna', secret)).status, 200);
  assert.equal((await WAYS.post(service, 'anna', 'another-horse-battery')).status, 403);
});

test('a user of a provider, who has no password here, logs in with an app password', async (t) => {
  const service = await startTestService(t);
  await service.addUser('anna');
  await service.store.write(async ({ users }) => {
    const { id = 0 } = (await users.findByKey('anna')) ?? {};
    await users.change(id, { passwordHash: undefined, provider: 'company' });
  });
  const secret = await addAppPassword(service.store, 'anna');
  assert.equal((await WAYS.post(service, 'anna', secret)).status, 200);
  assert.equal((await WAYS.basic(service, 'anna', secret)).status, 200);
  assert.equal((await WAYS.post(service, 'anna', PASSWORD)).status, 403);
});

test('no app password is the old password of a change', async (t) => {
  const { service, secret } = await withAnna(t);
  const { ticket } = await WAYS.post(service, 'anna', PASSWORD);
  const change = `${service.url}/api/person/changepassword/anna?alf_ticket=${ticket}`;
  const changed = (oldpw: string) =>
    ask(change, {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ oldpw, newpw: 'a-newer-horse-battery' }),
    });
  assert.equal((await changed(secret)).status, 401);
  assert.equal((await changed(PASSWORD)).status, 200);
});

test('an administrator does not administer by an app password', async (t) => {
  const { service } = await withAnna(t);
  const { url } = service;
  const secret = await addAppPassword(service.store, 'admin');
  const { ticket } = await WAYS.post(service, 'admin', secret);
  const { ticket: own } = await WAYS.post(service, 'admin', PASSWORD);
  const users = (text: string | undefined) =>
    ask(`${url}/api/admin/users`, { headers: { authorization: `Bearer ${text}` } });
  assert.equal((await users(own)).status, 200);
  const refused = await users(ticket);
  assert.equal(refused.status, 401);
  assert.match(refused.text, /issued for an app password or an access token does not administer/);
  const body = JSON.stringify({ newpw: 'a-newer-horse-battery' });
  const change = (headers: Record<string, string>, query = '') =>
    ask(`${url}/api/person/changepassword/anna${query}`, {
      ...{ method: 'POST', body },
      headers: { ...JSON_BODY, ...headers },
    });
  assert.equal((await change({}, `?alf_ticket=${ticket}`)).status, 403);
  assert.equal((await change(basic(`admin:${secret}`))).status, 403);
  assert.equal((await change({}, `?alf_ticket=${own}`)).status, 200);
});

test('the last use is kept soon after it, however the app password was sent', async (t) => {
  const { service, secret } = await withAnna(t);
  const usedAt = () =>
    service.store.read(async ({ users, appPasswords }) => {
      const { id = 0 } = (await users.findByKey('anna')) ?? {};
      return (await appPasswords.find(id, 'mail'))?.usedAt;
    });
  assert.equal(await usedAt(), undefined);
  await WAYS.basic(service, 'anna', secret);
  await eventually(async () => assert.notEqual(await usedAt(), undefined));
  const first = (await usedAt()) ?? 0;
  service.shiftClock(61_000);
  await WAYS.post(service, 'anna', secret);
  await eventually(async () => assert.ok(((await usedAt()) ?? 0) >= first + 60_000));
});

test('no event, log line or answer ever holds an app password, whatever is sent', async (t) => {
  const { service, secret } = await withAnna(t, {
    TESSERA_LOG_LEVEL: 'debug',
    TESSERA_LOCKOUT_THRESHOLD: '0',
  });
  const places = fc.record({
    way: fc.constantFrom(...Object.values(WAYS)),
    user: fc.constantFrom('anna', 'nobody', secret, `${secret}x`, `x ${secret}`),
    password: fc.constantFrom(secret, `${secret}x`, secret.toUpperCase(), ` ${secret}`, secret.slice(0, -1)),
    userAgent: fc.constantFrom('curl/8', secret, `Mail ${secret}`),
  });
  await fc.assert(
    fc.asyncProperty(places, async ({ way, user, password, userAgent }) => {
      await way(service, encodeURIComponent(user), password, { 'user-agent': userAgent });
    }),
    { numRuns: 40 },
  );
  const secretPart = secret.slice('tap_'.length, -2);
  assert.ok(!service.lines.join('\n').toLowerCase().includes(secretPart), 'the log');
  assert.ok(
    !JSON.stringify(await events(service))
      .toLowerCase()
      .includes(secretPart),
    'the events',
  );
});
