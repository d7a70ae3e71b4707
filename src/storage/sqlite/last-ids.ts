import type { DatabaseSync } from 'node:sqlite';
import type { LastIds } from '../transfer.ts';

/** The highest ids that the database ever gave out. */
export function lastIdsOf(db: DatabaseSync): LastIds {
  const last = db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?');
  const of = (table: string) => (last.get(table)?.seq as number | undefined) ?? 0;
  return { users: of('users'), events: of('events') };
}

/** Has the ids go on from these where it gave out lower ones, so that none of them is given again. */
export function goOnFrom(db: DatabaseSync, lastIds: LastIds): void {
  const known = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1');
  const added = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  for (const [table, last] of Object.entries(lastIds)) {
    if (known.run(table, last).changes === 0) added.run(table, last);
  }
}
