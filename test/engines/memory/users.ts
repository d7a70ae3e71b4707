import { lookalikeKey } from '../../../src/core/domain/user.ts';
import type { Users } from '../../../src/core/storage/store.ts';
import { removeAppPasswords } from './app-passwords.ts';
import { passwordLinksIn } from './password-links.ts';
import { removePerson, userSearchIn } from './people.ts';
import { removeSecondFactors } from './second-factors.ts';
import { byCodePoints, every, next, one, type Sight, type Tables } from './tables.ts';

/** The users of the memory engine. */
export function usersIn(tables: Tables, sight: Sight): Users {
  const byKey = (key: string) => every(tables.users, sight).find((user) => user.key === key);
  const list = () => every(tables.users, sight).sort((a, b) => byCodePoints(a.key, b.key));
  return {
    find: async (id) => one(tables.users, id, sight),
    findByKey: async (key) => byKey(key),
    async near(share) {
      const sorted = every(tables.users, sight).sort((a, b) => a.id - b.id);
      const before = Math.floor(share * (sorted.at(-1)?.id ?? 0));
      return sorted.find(({ id }) => id > before);
    },
    list: async () => list(),
    lookalikes: async (lookalike) =>
      list().filter(({ key, name }) => key === lookalike || lookalikeKey(name) === lookalike),
    async page(after, limit) {
      const behind = list().filter(({ key }) => byCodePoints(key, after?.key ?? '') > 0);
      return behind.slice(0, limit);
    },
    async pageByNumber(skipped, limit) {
      const sorted = every(tables.users, sight).sort((a, b) => a.id - b.id);
      return sorted.slice(skipped, skipped + limit);
    },
    ...userSearchIn(tables, sight),
    count: async () => every(tables.users, sight).length,
    async add(user) {
      if (byKey(user.key) !== undefined) return undefined;
      const added = { ...user, id: next(tables, 'lastUser') };
      tables.users.set(added.id, added);
      return added;
    },
    async change(id, change) {
      const old = tables.users.get(id);
      if (old !== undefined) tables.users.set(id, { ...old, ...change });
    },
    async rename(id, name, key) {
      const [old, other] = [tables.users.get(id), byKey(key)];
      if (old === undefined || (other !== undefined && other.id !== id)) return false;
      tables.users.set(id, { ...old, name, key });
      return true;
    },
    async revokedSince(at, limit) {
      const found = every(tables.users, sight).filter(
        ({ id }) => (one(tables.revocations, id, sight) ?? 0) >= at,
      );
      return found.slice(0, limit).map(({ id }) => id);
    },
    async noteRevocation(id, at) {
      if (at > (tables.revocations.get(id) ?? 0)) tables.revocations.set(id, at);
    },
    wasRemoved: async (key) => one(tables.removedNames, key, sight) !== undefined,
    async namesCaseSensitive() {
      const sensitive = one(tables.numbers, 'namesCaseSensitive', sight);
      return sensitive === undefined ? undefined : sensitive === 1;
    },
    databaseId: async () => String(one(tables.numbers, 'databaseId', sight)),
    async setNamesCaseSensitive(sensitive) {
      tables.numbers.set('namesCaseSensitive', Number(sensitive));
    },
    async remove(id) {
      const user = tables.users.get(id);
      if (user !== undefined) tables.removedNames.set(user.key, true);
      tables.users.delete(id);
      tables.revocations.delete(id);
      removePerson(tables, id);
      removeAppPasswords(tables, id);
      removeSecondFactors(tables, id);
      await passwordLinksIn(tables, 'staged').removeOf(id);
      for (const row of tables.familiar.all()) {
        if (row.userId === id) tables.familiar.delete(`${id} ${row.address}`);
      }
    },
  };
}
