import type { WriteUnit } from '../../../src/core/storage/store.ts';
import { every, one, type Sight, type Tables } from './tables.ts';

/** The secrets of authenticator apps of the memory engine. */
export function totpSecretsIn({ totpSecrets }: Tables, sight: Sight): WriteUnit['totpSecrets'] {
  const find = (userId: number) => one(totpSecrets, userId, sight);
  return {
    find: async (userId) => find(userId),
    page: async (afterUserId, limit) =>
      every(totpSecrets, sight)
        .filter(({ userId }) => userId > afterUserId)
        .sort((a, b) => a.userId - b.userId)
        .slice(0, limit),
    put: async (secret) => void totpSecrets.set(secret.userId, secret),
    async useStep(userId, step) {
      const found = find(userId);
      if (found === undefined || found.lastStep >= step) return false;
      totpSecrets.set(userId, { ...found, lastStep: step });
      return true;
    },
    async encryptAnew(userId, before, after) {
      const found = find(userId);
      if (!found?.secret.equals(before)) return false;
      totpSecrets.set(userId, { ...found, secret: after });
      return true;
    },
    remove: async (userId) => totpSecrets.delete(userId),
  };
}

const keyOf = (userId: number, digest: Buffer) => `${userId} ${digest.toString('hex')}`;

/** The recovery codes of the memory engine. */
export function recoveryCodesIn({ recoveryCodes }: Tables, sight: Sight): WriteUnit['recoveryCodes'] {
  const ofUser = (userId: number) => every(recoveryCodes, sight).filter((each) => each.userId === userId);
  return {
    countOf: async (userId) => ofUser(userId).length,
    has: async (userId, digest) => one(recoveryCodes, keyOf(userId, digest), sight) !== undefined,
    async put(userId, digests) {
      for (const { digest } of ofUser(userId)) recoveryCodes.delete(keyOf(userId, digest));
      for (const digest of digests) recoveryCodes.set(keyOf(userId, digest), { userId, digest });
    },
    use: async (userId, digest) => recoveryCodes.delete(keyOf(userId, digest)),
  };
}

/** Removes the second factors of a user. */
export function removeSecondFactors({ totpSecrets, recoveryCodes }: Tables, userId: number): void {
  totpSecrets.delete(userId);
  for (const { userId: of, digest } of recoveryCodes.all())
    if (of === userId) recoveryCodes.delete(keyOf(userId, digest));
}
