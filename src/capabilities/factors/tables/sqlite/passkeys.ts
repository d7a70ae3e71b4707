import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../../engines/sqlite/prepare.ts';
import type { Passkeys } from '../passkeys.ts';
import { PASSKEYS, passkeyValues, toPasskey, useValues } from '../passkeys-sql.ts';

/** Passkeys, over one connection. */
export function passkeysOn(db: DatabaseSync): Passkeys {
  const sql = prepared(db, PASSKEYS);
  return {
    async find(credentialId) {
      const row = sql.find.get(credentialId);
      return row && toPasskey(row);
    },
    ofUser: async (userId) => sql.ofUser.all(userId).map(toPasskey),
    add: async (passkey) => sql.add.run(...passkeyValues(passkey)).changes === 1,
    use: async (credentialId, use) => sql.use.run(credentialId, ...useValues(use)).changes === 1,
    remove: async (credentialId) => sql.remove.run(credentialId).changes === 1,
  };
}
