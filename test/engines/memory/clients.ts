import type { Clients } from '../../../src/core/storage/store.ts';
import { byCodePoints, every, one, type Sight, type Tables } from './tables.ts';

/** The clients of the memory engine. */
export function clientsIn(tables: Tables, sight: Sight): Clients {
  return {
    find: async (name) => one(tables.clients, name, sight),
    list: async () => every(tables.clients, sight).sort((a, b) => byCodePoints(a.name, b.name)),
    async add(client) {
      if (one(tables.clients, client.name, sight) !== undefined) return false;
      tables.clients.set(client.name, client);
      return true;
    },
    async setSecret(name, secretDigest) {
      const client = one(tables.clients, name, sight);
      if (client !== undefined) tables.clients.set(name, { ...client, secretDigest });
      return client !== undefined;
    },
    async remove(name) {
      tables.applications.delete(name);
      for (const { digest, client } of every(tables.entries, sight))
        if (client === name) tables.entries.delete(digest.toString('hex'));
      return tables.clients.delete(name);
    },
  };
}
