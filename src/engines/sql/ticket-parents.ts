import { bytesOf, digestFrom } from '../../core/domain/ticket.ts';
import type { TicketParents, TicketParentsRead } from '../../core/storage/store.ts';
import type { SqlRow } from './sql.ts';
import { type Reading, statements, type UnitTable } from './statement.ts';

const SQL = statements('ticket_parents', {
  parentOf: 'SELECT parent_digest AS digest FROM ticket_parents WHERE digest = $1',
  childrenOf: 'SELECT digest FROM ticket_parents WHERE parent_digest = $1 ORDER BY digest',
  checkedAt: 'SELECT checked_at FROM ticket_parents WHERE digest = $1',
  due: 'SELECT digest FROM ticket_parents WHERE checked_at < $1 ORDER BY checked_at, digest LIMIT $2',
  put: `INSERT INTO ticket_parents (digest, parent_digest, checked_at) VALUES ($1, $2, $3)
    ON CONFLICT (digest) DO UPDATE SET checked_at = excluded.checked_at
    WHERE excluded.checked_at > ticket_parents.checked_at`,
  postpone: 'UPDATE ticket_parents SET checked_at = $2 WHERE digest = $1',
  remove: 'DELETE FROM ticket_parents WHERE digest = $1',
});

const digestsIn = (rows: readonly SqlRow[]) => rows.map(({ digest }) => digestFrom(digest as Uint8Array));

const read = (db: Reading): TicketParentsRead => ({
  parentOf: async (ticket) => digestsIn(await db.rows(SQL.parentOf, bytesOf(ticket)))[0],
  childrenOf: async (parent) => digestsIn(await db.rows(SQL.childrenOf, bytesOf(parent))),
  async checkedAt(digest) {
    const [row] = await db.rows(SQL.checkedAt, bytesOf(digest));
    return row && Number(row.checked_at);
  },
  due: async (before, limit) => digestsIn(await db.rows(SQL.due, before, limit)),
});

/** It is in the database even if Redis keeps the tickets. */
export const ticketParentsTable: UnitTable = {
  member: 'ticketParents',
  read,
  write: (db): TicketParents => ({
    ...read(db),
    put: (ticket, parent, checkedAt) => db.send(SQL.put, bytesOf(ticket), bytesOf(parent), checkedAt),
    postpone: (ticket, checkedAt) => db.send(SQL.postpone, bytesOf(ticket), checkedAt),
    remove: (ticket) => db.send(SQL.remove, bytesOf(ticket)),
  }),
};
