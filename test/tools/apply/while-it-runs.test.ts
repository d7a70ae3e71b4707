import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashPassword } from '../../../src/core/identity/password-hash.ts';
import { commandLine } from '../../capabilities/action-definitions/nodes/command-line.ts';
import { FOREIGN, RIGHT } from '../../capabilities/migration/foreign/hashes.ts';
import { CHEAP, MD4 } from '../../capabilities/migration/import/importing.ts';
import { serviceWithAna } from '../../faces/cli/while-it-runs/service.ts';
import { PASSWORD } from '../../service/start.ts';
import { digestOf, type Written } from './applying.ts';

const COST = { memory: 8, passes: 1, lanes: 1 };

async function applyingToService(t: TestContext) {
  const service = await serviceWithAna(t);
  const { data } = service.service;
  return {
    ...service,
    async apply(document: Written, ...flags: readonly string[]) {
      const file = join(data, 'state.json');
      writeFileSync(file, JSON.stringify(document));
      const env = { ...CHEAP, TESSERA_DATA: data };
      const ended = await commandLine(['apply', file, ...flags], env);
      assert.equal(ended.code, 0, ended.stderr);
      return ended.stdout;
    },
    status: async (name: string, password: string) => (await service.tryLogin(password, name)).status,
  };
}

test('the next request knows what was applied: a disabled or removed user has no ticket, a new one logs in', async (t) => {
  const { apply, validate, logIn, status, service } = await applyingToService(t);
  const passwordHash = await hashPassword(PASSWORD, COST);
  await apply({
    users: [
      { name: 'bea', passwordHash },
      { name: 'cleo', ...MD4 },
    ],
  });
  const [ana, bea, cleo] = [await logIn(), await logIn('bea'), await logIn('cleo', 'admin')];
  await apply({ users: [{ name: 'ana', disabled: true }] });
  assert.deepEqual(await Promise.all([ana, bea, cleo].map(validate)), [401, 200, 200]);
  assert.equal(await status('ana', PASSWORD), 403);
  await apply({ users: [{ name: 'admin' }, { name: 'ana', disabled: false }, { name: 'bea' }] }, '--prune');
  assert.deepEqual(await Promise.all([ana, bea, cleo].map(validate)), [401, 200, 401]);
  assert.equal(await status('cleo', 'admin'), 403);
  const events = await service.store.read((unit) => unit.events.list({ user: 'ana' }));
  assert.deepEqual(
    events.map(({ kind }) => kind).filter((kind) => kind.startsWith('user-')),
    ['user-disabled', 'user-enabled'],
  );
});

test('a hash of every kind that an import reads is taken, and its password logs in', async (t) => {
  const { apply, status } = await applyingToService(t);
  const samples = Object.values(FOREIGN).map(({ password = RIGHT, ...hash }, index) => ({
    password,
    user: { name: `user-${index}`, ...hash },
  }));
  await apply({ users: samples.map(({ user }) => user) });
  for (const { user, password } of samples)
    assert.equal(await status(user.name, password), 200, user.passwordHash);
});

test('a new user without a hash logs in with no password until it is given one', async (t) => {
  const { apply, status, tessera } = await applyingToService(t);
  await apply({ users: [{ name: 'new' }] });
  for (const password of ['', 'new', PASSWORD]) assert.equal(await status('new', password), 403);
  await tessera('users unlock new');
  await tessera('users passwd new --password-stdin', PASSWORD);
  assert.equal(await status('new', PASSWORD), 200);
  await apply({ users: [{ name: 'new' }] });
  assert.equal(await status('new', PASSWORD), 200);
});

test('an existing user keeps its password; --passwords replaces it, ends the tickets, and does so once', async (t) => {
  const { apply, validate, logIn, status } = await applyingToService(t);
  const ticket = await logIn();
  const document = { users: [{ name: 'ana', ...MD4, mustChangePassword: false }] };
  assert.match(await apply(document), /^Nothing to change/);
  assert.equal(await validate(ticket), 200);
  assert.match(
    await apply(document, '--passwords'),
    /^~ user "ana" password: "another one" → "that of the file"\n/,
  );
  assert.equal(await validate(ticket), 401);
  assert.deepEqual([await status('ana', PASSWORD), await status('ana', 'admin')], [403, 200]);
  const passwordHash = await hashPassword(PASSWORD, COST);
  const plain = { users: [{ name: 'ana', passwordHash }] };
  assert.match(await apply(plain, '--passwords'), /^~ user "ana" password/);
  assert.match(await apply(plain, '--passwords'), /^Nothing to change/);
});

test('a user whom any password logs in gets the hash of the file, and only its password counts then', async (t) => {
  const { apply, status, tessera } = await applyingToService(t);
  await tessera('users add guest --no-password');
  assert.match(await apply({ users: [{ name: 'guest' }] }), /^Nothing to change/);
  assert.equal(await status('guest', 'anything'), 200);
  const diff = await apply({ users: [{ name: 'guest', ...MD4, role: 'auditor' }] });
  assert.match(
    diff,
    /^~ user "guest" password: none → "that of the file"\n~ user "guest" role: none → "auditor"\n/,
  );
  assert.deepEqual([await status('guest', 'anything'), await status('guest', 'admin')], [403, 200]);
});

test('a client and an API key that were removed are refused from the next request on', async (t) => {
  const { apply, service, url } = await applyingToService(t);
  const key = await service.addApiKey('auditor');
  const status = async () =>
    (await fetch(`${url}/api/admin/events`, { headers: { authorization: `Bearer ${key}` } })).status;
  assert.equal(await status(), 200);
  await apply({ apiKeys: [{ name: 'other', role: 'auditor', digest: digestOf('e') }] }, '--prune');
  assert.equal(await status(), 401);
});
