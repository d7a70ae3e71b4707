import type { Passkeys } from '../../../src/capabilities/factors/tables/passkeys.ts';
import { isNewUse } from '../../../src/core/domain/passkey.ts';
import { every, one, type Sight, type Tables } from './tables.ts';

/** The key of a passkey's row. */
export const idOf = (credentialId: Buffer) => credentialId.toString('hex');

/** The passkeys of the memory engine. */
export function passkeysIn(tables: Tables, sight: Sight): Passkeys {
  const find = (credentialId: Buffer) => one(tables.passkeys, idOf(credentialId), sight);
  return {
    find: async (credentialId) => find(credentialId),
    ofUser: async (userId) =>
      every(tables.passkeys, sight)
        .filter((passkey) => passkey.userId === userId)
        .sort((a, b) => a.madeAt - b.madeAt || Buffer.compare(a.credentialId, b.credentialId)),
    async add(passkey) {
      if (find(passkey.credentialId) !== undefined) return false;
      tables.passkeys.set(idOf(passkey.credentialId), passkey);
      return true;
    },
    async use(credentialId, use) {
      const passkey = find(credentialId);
      if (passkey === undefined || !isNewUse(passkey, use)) return false;
      tables.passkeys.set(idOf(credentialId), { ...passkey, ...use });
      return true;
    },
    remove: async (credentialId) => tables.passkeys.delete(idOf(credentialId)),
  };
}
