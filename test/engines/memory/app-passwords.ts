import type { AppPasswords } from '../../../src/capabilities/factors/tables/app-passwords.ts';
import { byCodePoints, every, one, type Sight, type Tables } from './tables.ts';

/** Removes the app passwords of a user. */
export function removeAppPasswords(tables: Tables, userId: number): void {
  for (const { name, ...of } of tables.appPasswords.all())
    if (of.userId === userId) tables.appPasswords.delete(keyOf(userId, name));
}

const keyOf = (userId: number, name: string) => `${userId} ${name}`;

/** The app passwords of the memory engine. */
export function appPasswordsIn(tables: Tables, sight: Sight): AppPasswords {
  const all = () => every(tables.appPasswords, sight);
  const byDigest = (digest: Buffer) => all().find((each) => each.digest.equals(digest));
  return {
    find: async (userId, name) => one(tables.appPasswords, keyOf(userId, name), sight),
    findByDigest: async (digest) => byDigest(digest),
    ofUser: async (userId) =>
      all()
        .filter((each) => each.userId === userId)
        .sort((a, b) => byCodePoints(a.name, b.name)),
    expired: async (now, limit) =>
      all()
        .filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt <= now)
        .sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
        .slice(0, limit),
    async add(appPassword) {
      const key = keyOf(appPassword.userId, appPassword.name);
      if (one(tables.appPasswords, key, sight) !== undefined || byDigest(appPassword.digest)) return false;
      tables.appPasswords.set(key, appPassword);
      return true;
    },
    remove: async (userId, name) => tables.appPasswords.delete(keyOf(userId, name)),
    async use(digest, at) {
      const found = byDigest(digest);
      if (found !== undefined && at > (found.usedAt ?? 0))
        tables.appPasswords.set(keyOf(found.userId, found.name), { ...found, usedAt: at });
    },
  };
}
