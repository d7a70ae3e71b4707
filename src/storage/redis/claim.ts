import { StoreUnavailable } from '../store.ts';
import type { RedisReply, Words } from './connection.ts';
import { codeOf } from './errors.ts';
import { keys } from './partitions.ts';

/** Codes of a cluster's node that does not serve the slot of what it was asked for. */
const ELSEWHERE = new Set(['ASK', 'CLUSTERDOWN', 'MOVED', 'TRYAGAIN']);

const FOREIGN =
  'it keeps the tickets of another database, or of this one before a backup was restored: name another Redis in TESSERA_TICKETS, or, to give those tickets up, remove what lies under tessera: there while nothing serves from it';

/** Whether a node of a cluster says by this error that another one knows. */
export function isElsewhere(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && ELSEWHERE.has(code);
}

/**
 * Makes the Redis that `ask` reaches this database's where it is nobody's yet. Throws {@link StoreUnavailable}, with
 * the mend, where it is another one's.
 */
export async function claim(database: string, ask: (words: Words) => Promise<RedisReply>): Promise<void> {
  let owner = await ask(['GET', keys.database]);
  if (owner === null) {
    // Of two that come at once the first one has it.
    await ask(['SET', keys.database, database, 'NX']);
    owner = await ask(['GET', keys.database]);
  }
  if (owner !== database) throw new StoreUnavailable(FOREIGN);
}
