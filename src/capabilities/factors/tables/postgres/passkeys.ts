import { type Reading, statements, type Writing } from '../../../../engines/postgres/statement.ts';
import type { Passkeys, PasskeysRead } from '../passkeys.ts';
import { PASSKEYS, passkeyValues, toPasskey, useValues } from '../passkeys-sql.ts';

const PASSKEY = statements('passkeys', PASSKEYS);

/** Passkeys, in read units. */
export function passkeysRead(db: Reading): PasskeysRead {
  return {
    async find(credentialId) {
      const [row] = await db.rows(PASSKEY.find, credentialId);
      return row && toPasskey(row);
    },
    ofUser: async (userId) => (await db.rows(PASSKEY.ofUser, userId)).map(toPasskey),
  };
}

/** Passkeys, in one write unit. */
export function passkeysIn(db: Writing): Passkeys {
  return {
    ...passkeysRead(db),
    add: async (passkey) => (await db.change(PASSKEY.add, ...passkeyValues(passkey))) === 1,
    use: async (credentialId, use) => (await db.change(PASSKEY.use, credentialId, ...useValues(use))) === 1,
    remove: async (credentialId) => (await db.change(PASSKEY.remove, credentialId)) === 1,
  };
}
