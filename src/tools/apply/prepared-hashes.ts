import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { isPasswordless, type User } from '../../core/domain/user.ts';
import { type HashCost, hashPassword, isStoredFrom, storedFrom } from '../../core/identity/password-hash.ts';
import type { Store } from '../../core/storage/store.ts';
import { readAll } from './stored-people.ts';
import type { WantedUser } from './wanted.ts';

/** The password hashes to store. They are made before the transaction, since hashing takes long. */
export interface PreparedHashes {
  /** The hash of a user to be added, that of an unknown random password if the document has none. Undefined if it is not prepared. */
  ofNew(target: WantedUser): string | undefined;
  /** The hash that an existing user gets; undefined if it keeps its password. */
  ofExisting(target: WantedUser): string | undefined;
}

/** How hashes are prepared. */
export interface HashPreparation {
  readonly cost: HashCost;
  /** Whether existing users get the hashes of the document, too. */
  readonly passwords: boolean;
  /** Whether the hashes are not kept: then none is made of the hash of another system. */
  readonly dryRun: boolean;
  onShare(share: number): void;
}

/**
 * Prepares the hashes of users to be added, of users without a password, and with `passwords` of users with another one. An
 * existing user keeps its password otherwise: it may have chosen it since.
 */
export async function prepareHashes(
  store: Pick<Store, 'read'>,
  targets: readonly WantedUser[],
  how: HashPreparation,
): Promise<PreparedHashes> {
  const found = await store.read(({ users }) => readAll(targets, ({ key }) => users.findByKey(key)));
  const stored = new Map<string, string>();
  const replaced = new Set<string>();
  // This password is known to no person, so all users that have none yet may share it.
  const unknown = await hashPassword(randomBytes(32).toString('base64'), how.cost);
  const prepare = async (each: WantedUser, existing: User | undefined) => {
    const { hash, key } = each;
    if (hash === undefined || !(await getsHash(hash, existing, how.passwords))) return;
    if (existing !== undefined) replaced.add(key);
    stored.set(key, how.dryRun ? unknown : await storedFrom(hash, how.cost));
  };
  const most = availableParallelism();
  for (let at = 0; at < targets.length; at += most) {
    await Promise.all(targets.slice(at, at + most).map((each, index) => prepare(each, found[at + index])));
    how.onShare(at / targets.length);
  }
  return {
    ofNew: ({ hash, key }) => (hash === undefined ? unknown : stored.get(key)),
    ofExisting: ({ key }) => (replaced.has(key) ? stored.get(key) : undefined),
  };
}

async function getsHash(
  hash: NonNullable<WantedUser['hash']>,
  existing: User | undefined,
  passwords: boolean,
): Promise<boolean> {
  if (existing === undefined || isPasswordless(existing)) return true;
  if (!passwords || existing.passwordHash === undefined) return false;
  return !(await isStoredFrom(hash, existing.passwordHash));
}
