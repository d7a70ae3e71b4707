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
    remove: async (name) => tables.clients.delete(name),
  };
}
