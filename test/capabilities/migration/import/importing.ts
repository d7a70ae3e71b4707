import type { TestContext } from 'node:test';
import { userKey } from '../../../../src/core/domain/user.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { openSqlite } from '../../../service/stores.ts';
import { commandLine } from '../../action-definitions/nodes/command-line.ts';

export const CHEAP = { TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1' };

/** The MD4 of `admin`, with its indicator. */
export const MD4 = { passwordHash: '209c6174da490caeb422f3fa5a7ae634', hashIndicator: ['md4'] };

/** The text of a file with one object on each line. */
export const ndjson = (...users: readonly object[]) =>
  users.map((user) => `${JSON.stringify(user)}\n`).join('');

/** Runs the command on a temporary data folder, in this process. */
export async function onFolder(t: TestContext, more: Record<string, string> = {}) {
  const data = await temporaryFolder(t);
  const env = { ...CHEAP, ...more, TESSERA_DATA: data };
  const usersCommand = (...words: readonly string[]) => commandLine(['users', ...words], env);
  return {
    data,
    usersCommand,
    importOf: (stdin: string | Buffer, ...words: readonly string[]) =>
      commandLine(['users', 'import', '-', ...words], env, stdin),
    /** The stored user, if there is one. */
    async kept(name: string) {
      const store = openSqlite(data);
      const user = await store.read(({ users }) => users.findByKey(userKey(name)));
      await store.close();
      return user;
    },
  };
}
