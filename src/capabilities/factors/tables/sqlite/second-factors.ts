import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../../engines/sqlite/prepare.ts';
import type { RecoveryCodes, TotpSecrets } from '../second-factors.ts';
import { RECOVERY_CODES_SQL, TOTP_SECRETS, toTotpSecret, totpValues } from '../second-factors-sql.ts';

/** The secrets of authenticator apps, over one connection. */
export function totpSecretsOn(db: DatabaseSync): TotpSecrets {
  const sql = prepared(db, TOTP_SECRETS);
  return {
    async find(userId) {
      const row = sql.find.get(userId);
      return row && toTotpSecret(row);
    },
    page: async (afterUserId, limit) => sql.page.all(afterUserId, limit).map(toTotpSecret),
    async put(secret) {
      sql.put.run(...totpValues(secret));
    },
    useStep: async (userId, step) => sql.useStep.run(userId, step).changes === 1,
    encryptAnew: async (userId, before, after) => sql.encryptAnew.run(userId, before, after).changes === 1,
    remove: async (userId) => sql.remove.run(userId).changes === 1,
  };
}

/** Recovery codes, over one connection. */
export function recoveryCodesOn(db: DatabaseSync): RecoveryCodes {
  const sql = prepared(db, RECOVERY_CODES_SQL);
  return {
    countOf: async (userId) => sql.countOf.get(userId)?.codes as number,
    has: async (userId, digest) => sql.has.get(userId, digest) !== undefined,
    async put(userId, digests) {
      sql.removeOfUser.run(userId);
      for (const digest of digests) sql.add.run(userId, digest);
    },
    use: async (userId, digest) => sql.use.run(userId, digest).changes === 1,
  };
}
