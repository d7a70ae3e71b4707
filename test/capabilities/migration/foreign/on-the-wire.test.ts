import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userKey } from '../../../../src/core/domain/user.ts';
import { hasCost } from '../../../../src/core/identity/password-hash.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { ask, basic, logIn } from '../../../service/talk.ts';
import { commandLine } from '../../action-definitions/nodes/command-line.ts';
import { ndjson } from '../import/importing.ts';
import { FOREIGN, RIGHT } from './hashes.ts';

const CHEAP = { TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1' };

const userOf = ({ store }: TestService, name: string) =>
  store.read(({ users }) => users.findByKey(userKey(name)));

/** Imports users while the service runs, as the command does. */
async function imported({ data }: TestService, ...users: readonly object[]): Promise<void> {
  const { code, stderr } = await commandLine(
    ['users', 'import', '-'],
    { ...CHEAP, TESSERA_DATA: data },
    ndjson(...users),
  );
  assert.equal(code, 0, stderr);
}

test('a user with an imported hash of any kind logs in at the running service, and then has an argon2id hash', async (t) => {
  const service = await startTestService(t);
  const kinds = Object.values(FOREIGN);
  const lines = kinds.map(({ password: _, ...hash }, index) => ({ name: `user-${index}`, ...hash }));
  await imported(service, ...lines);
  for (const [index, { password = RIGHT }] of kinds.entries()) {
    const name = `user-${index}`;
    await assert.rejects(logIn(service.url, name, `${password.slice(1)}`), /Login failed/);
    const ticket = await logIn(service.url, name, password);
    const renewed = await userOf(service, name);
    assert.ok(hasCost(renewed?.passwordHash ?? '', { memory: 8, passes: 1, lanes: 1 }));
    assert.ok(!renewed?.passwordHash?.includes(' '), name);
    assert.equal(renewed?.generation, 0);
    await logIn(service.url, name, password);
    const seen = await ask(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
    assert.equal(seen.status, 200);
  }
});

test('an imported hash is accepted with Basic, and a new hash ends the cached credential', async (t) => {
  const service = await startTestService(t);
  const { password: _, ...hash } = FOREIGN['bcrypt over md4 of the reference'] as object & {
    password?: string;
  };
  await imported(service, { name: 'ann', ...hash });
  const get = () => ask(`${service.url}/api/rules/actiondefs`, { headers: basic(`ann:${RIGHT}`) });
  assert.deepEqual([(await get()).status, (await get()).status], [200, 200]);
  assert.ok(!(await userOf(service, 'ann'))?.passwordHash?.includes(' '));
});

test('a disabled user with an imported hash is refused, and keeps the hash', async (t) => {
  const service = await startTestService(t);
  const { passwordHash } = FOREIGN['bcrypt 2a'] as { passwordHash: string };
  await imported(service, { name: 'ann', passwordHash, disabled: true });
  await assert.rejects(logIn(service.url, 'ann', RIGHT), /Login failed/);
  assert.ok((await userOf(service, 'ann'))?.passwordHash?.includes(' '));
});
