import { type Reading, statements, type Writing } from '../../../../engines/postgres/statement.ts';
import type { RecoveryCodes, RecoveryCodesRead, TotpSecrets, TotpSecretsRead } from '../second-factors.ts';
import { RECOVERY_CODES_SQL, TOTP_SECRETS, toTotpSecret, totpValues } from '../second-factors-sql.ts';

const TOTP = statements('totp_secrets', TOTP_SECRETS);
const CODES = statements('recovery_codes', RECOVERY_CODES_SQL);

/** The secrets of authenticator apps, in read units. */
export function totpSecretsRead(db: Reading): TotpSecretsRead {
  return {
    async find(userId) {
      const [row] = await db.rows(TOTP.find, userId);
      return row && toTotpSecret(row);
    },
    page: async (afterUserId, limit) => (await db.rows(TOTP.page, afterUserId, limit)).map(toTotpSecret),
  };
}

/** The secrets of authenticator apps, in one write unit. */
export function totpSecretsIn(db: Writing): TotpSecrets {
  return {
    ...totpSecretsRead(db),
    put: (secret) => db.send(TOTP.put, ...totpValues(secret)),
    useStep: async (userId, step) => (await db.change(TOTP.useStep, userId, step)) === 1,
    encryptAnew: async (userId, before, after) =>
      (await db.change(TOTP.encryptAnew, userId, before, after)) === 1,
    remove: async (userId) => (await db.change(TOTP.remove, userId)) === 1,
  };
}

/** Recovery codes, in read units. */
export function recoveryCodesRead(db: Reading): RecoveryCodesRead {
  return {
    async countOf(userId) {
      const [row] = await db.rows(CODES.countOf, userId);
      return Number(row?.codes ?? 0);
    },
    has: async (userId, digest) => (await db.rows(CODES.has, userId, digest)).length > 0,
  };
}

/** Recovery codes, in one write unit. */
export function recoveryCodesIn(db: Writing): RecoveryCodes {
  return {
    ...recoveryCodesRead(db),
    async put(userId, digests) {
      await db.send(CODES.removeOfUser, userId);
      for (const digest of digests) await db.send(CODES.add, userId, digest);
    },
    use: async (userId, digest) => (await db.change(CODES.use, userId, digest)) === 1,
  };
}
