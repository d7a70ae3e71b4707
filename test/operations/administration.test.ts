import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { actorOfKey } from '../../src/core/domain/administration.ts';
import type { RecordedEvent } from '../../src/core/domain/event.ts';
import { type KeyRole, ROLES, type Role, suffices } from '../../src/core/domain/role.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import { operations } from '../../src/main/operations.ts';
import { openMemory } from '../engines/memory/open.ts';
import { PASSWORD, startTestService, type TestService } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';
import { type Answered, ask, basic, logIn } from '../service/talk.ts';
import { ALICE } from './example-input.ts';
import { type Example, exampleOf, urlOf } from './examples.ts';
import { callFor, gateOver, storeWith } from './gate-over.ts';

const BEHIND = (role: KeyRole) => ROLES.slice(0, ROLES.indexOf(role as Role));

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

type Headers = Record<string, string>;

/** The example call of an operation with these headers in place of its own. */
async function calling(tested: AnyOperation, service: TestService, headers: Headers): Promise<Answered> {
  const { init, ...example }: Example = await exampleOf(tested, service);
  const url = urlOf(service.url + (tested.api?.basePaths?.[0] ?? ''), example);
  return ask(url, { ...init, headers: { accept: 'application/problem+json', ...headers } });
}

/** The ticket of a user who has this role. */
async function ticketOf(role: Role | undefined, { store, url, addUser }: TestService): Promise<string> {
  const name = role ?? 'nobody-special';
  await addUser(name, { administrator: role === 'administrator' });
  if (role !== undefined && role !== 'administrator')
    await store.write(async ({ users, roles }) => {
      const user = await users.findByKey(name);
      await roles.give(user?.id ?? 0, role);
    });
  return logIn(url, name);
}

const AT_ADMIN = operations.filter(({ authentication }) => authentication === 'admin');

/** They ask other servers by POST, and change nothing here. */
const CHECKS = ['directory', 'providers'].map((of) => `org/service/repository/admin/${of}/check.post`);

for (const tested of AT_ADMIN) {
  const { id, role = 'administrator', answers = 200, access, method } = tested;

  const takesPasswords = tested.api?.takesPasswords === true;
  const refusesOthers = async (t: TestContext) => {
    const service = await startTestService(t, {}, openMemory);
    const secret = await service.addClient('gateway');
    const ended = await logIn(service.url);
    await ask(`${service.url}/api/login/ticket/${ended}?alf_ticket=${ended}`, { method: 'DELETE' });
    const key = await service.addApiKey('administrator');
    const refused: Headers[] = [
      {},
      basic(`admin:${takesPasswords ? 'wrong' : PASSWORD}`),
      basic(`gateway:${secret}`),
      bearer(secret),
      bearer(ended),
      bearer(`${key}x`),
      bearer(await service.addApiKey('administrator', Date.now() - 1)),
      basic(`:${key}`),
      basic(key),
    ];
    for (const headers of refused) {
      const { status, text, headers: answered } = await calling(tested, service, headers);
      assert.equal(status, 401, JSON.stringify(headers));
      assert.match(JSON.parse(text).code, /^(admin_credential|authentication)_needed$/);
      assert.equal(answered.get('content-type'), 'application/problem+json');
      const scheme = tested.api?.challenge ?? 'Basic';
      assert.equal(answered.get('www-authenticate'), `${scheme} realm="Tessera"`);
    }
    if (takesPasswords)
      assert.equal((await calling(tested, service, basic(`admin:${PASSWORD}`))).status, answers);
  };
  if (takesPasswords)
    test(
      `${id}: takes a live ticket, an API key or the password of an administrator, and nothing else`,
      refusesOthers,
    );
  else test(`${id}: takes nothing but a live ticket or an API key`, refusesOthers);

  test(`${id}: refuses a user and a key without the role ${role}, and names it`, async (t) => {
    const service = await startTestService(t, {}, openMemory);
    const insufficient = [await ticketOf(undefined, service), await service.addApiKey('scim')];
    for (const lesser of BEHIND(role))
      insufficient.push(await ticketOf(lesser, service), await service.addApiKey(lesser));
    for (const credential of insufficient) {
      const { status, text } = await calling(tested, service, bearer(credential));
      assert.equal(status, 403);
      const { code, detail } = JSON.parse(text);
      assert.equal(code, 'role_needed');
      assert.match(detail, new RegExp(`\\b${role}$`));
    }
  });

  test(`${id}: answers a user and a key with the role ${role} or a higher one`, async (t) => {
    const service = await startTestService(t, {}, openMemory);
    for (const sufficient of ROLES.filter((each) => suffices(each, role)))
      for (const credential of [await ticketOf(sufficient, service), await service.addApiKey(sufficient)]) {
        const { status, text } = await calling(tested, service, bearer(credential));
        assert.equal(status, answers, text);
      }
  });

  if (access !== 'write') continue;

  const changes = !CHECKS.includes(id);
  if (!changes)
    test(`${id}: changes nothing`, async () => {
      const store = await storeWith();
      const before = store.contents();
      await gateOver(store).handlerFor(tested)(callFor(tested));
      assert.equal(store.contents(), before);
    });

  if (changes)
    test(`${id}: writes an event of what it changes, with who did it and from where`, async () => {
      const store = await storeWith();
      const before = store.contents();
      await gateOver(store).handlerFor(tested)(callFor(tested));
      assert.notEqual(store.contents(), before, 'the example of a change changes nothing');
      const events: RecordedEvent[] = await store.read((unit) => unit.events.list({}));
      assert.notEqual(events.length, 0);
      for (const { actor, from } of events) {
        assert.equal(actor, actorOfKey('laws'));
        assert.equal(from, '127.0.0.1');
      }
    });

  if (changes)
    test(`${id}: changes nothing if its event cannot be written`, async () => {
      const store = await storeWith();
      const before = store.contents();
      const fault = new Error('no event');
      const deaf = {
        ...store,
        write: (work: Parameters<typeof store.write>[0]) =>
          store.write((unit) =>
            work({ ...unit, events: { ...unit.events, append: () => Promise.reject(fault) } }),
          ),
      } as typeof store;
      const faults: unknown[] = [];
      const { result } = await gateOver(deaf, faults).handlerFor(tested)(callFor(tested));
      assert.deepEqual(result, { refused: 'internal' });
      assert.deepEqual(faults, [fault]);
      assert.equal(store.contents(), before);
    });

  test(`${id}: refuses a page of another site`, async (t) => {
    const service = await startTestService(t, {}, openMemory);
    const key = await service.addApiKey('administrator');
    const crossSite = { ...bearer(key), 'sec-fetch-site': 'cross-site' };
    const { status, text } = await calling(tested, service, crossSite);
    assert.equal(status, 403);
    assert.equal(JSON.parse(text).code, 'cross_site_change');
    const own = { ...bearer(key), 'sec-fetch-site': 'same-origin' };
    assert.equal((await calling(tested, service, own)).status, answers);
  });

  test(`${id}: is no GET`, () => assert.notEqual(method, 'GET'));
}

for (const tested of operations.filter(({ ifMatch }) => ifMatch !== undefined)) {
  const shown = tested.ifMatch as AnyOperation;

  test(`${tested.id}: is done if If-Match holds the ETag of the GET at its path, and refused if that is old`, async (t) => {
    assert.deepEqual(shown.paths, tested.paths);
    assert.ok(shown.method === 'GET' && shown.revalidated && shown.access === 'read');
    const service = await startTestService(t, {}, openSqlite);
    const key = bearer(await service.addApiKey('administrator'));
    const old = await calling(tested, service, { ...key, 'if-match': '"old", W/"older"' });
    assert.equal(old.status, 412);
    assert.equal(JSON.parse(old.text).code, 'changed_meanwhile');
    const { headers } = await calling(shown, service, key);
    const etag = headers.get('etag') ?? assert.fail('the GET has no ETag');
    const { status, text } = await calling(tested, service, { ...key, 'if-match': etag });
    assert.equal(status, tested.answers ?? 200, text);
  });
}

for (const tested of operations) {
  const { id, authentication } = tested;
  if (authentication !== 'user' && authentication !== 'client') continue;

  test(`${id}: takes no API key`, async (t) => {
    const service = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
    const key = await service.addApiKey('administrator');
    for (const headers of [bearer(key), basic(`:${key}`), basic(key), basic(`admin:${key}`)]) {
      const { init, query, ...example } = await exampleOf(tested, service);
      const { alf_ticket: _, ...rest } = query ?? {};
      const url = urlOf(service.url + (tested.api?.basePaths?.[0] ?? ''), { ...example, query: rest });
      assert.equal((await ask(url, { ...init, headers })).status, 401, JSON.stringify(headers));
    }
  });
}

/** The changes that an operator may make. An operator ends tickets and unlocks, and changes nothing else. */
const BY_OPERATORS: readonly string[] = [
  'users/tickets.delete',
  'users/ticket.delete',
  'tickets.delete',
  'lockout.delete',
];

test('no change is open to an operator but the ending of tickets and the lifting of locks', () => {
  const changing = AT_ADMIN.filter(({ id, access }) => access === 'write' && !CHECKS.includes(id));
  const open = changing.filter(({ role }) => role !== 'administrator');
  assert.deepEqual(
    open.map(({ id }) => id.slice('org/service/repository/admin/'.length)),
    BY_OPERATORS,
  );
});

/** What the tools of the reference administer by the v1 API. */
const BY_V1 = /v1\/(people\.post|person\.put|groups\.post|group\.(put|delete)|members?\.(get|post|delete))$/;

test('the operations of the API admin, and those of the v1 API that administer, are at level admin, and no others', () => {
  for (const { id, authentication, api, paths } of operations) {
    assert.equal(api?.name === 'admin' || BY_V1.test(id), authentication === 'admin', id);
    if (api?.name === 'admin')
      assert.ok(
        paths.every((path) => path.startsWith('/api/admin/')),
        id,
      );
  }
});

test('a role is looked up with each call: one that is taken away is gone at once', async (t) => {
  const service = await startTestService(t, {}, openMemory);
  const url = `${service.url}/api/admin/status`;
  const ticket = await ticketOf('operator', service);
  assert.equal((await ask(url, { headers: bearer(ticket) })).status, 200);
  await service.store.write(async ({ users, roles }) => {
    const user = await users.findByKey('operator');
    await roles.give(user?.id ?? 0, undefined);
  });
  assert.equal((await ask(url, { headers: bearer(ticket) })).status, 403);
});

test(`the user of the laws, ${ALICE.name}, has no role`, async () => {
  const store = await storeWith();
  const alice = await store.read((unit) => unit.users.findByKey(ALICE.name));
  assert.equal(await store.read((unit) => unit.roles.of(alice?.id ?? 0)), undefined);
});
