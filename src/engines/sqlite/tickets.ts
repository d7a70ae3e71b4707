import type { DatabaseSync } from 'node:sqlite';
import { bytesOf, type Digest, type HeldTicket, type KeptTicket } from '../../core/domain/ticket.ts';
import type { TicketOnPage, Tickets } from '../../core/storage/store.ts';
import { ORIGIN_COLUMNS, originValues, TICKET_COLUMNS, TICKETS, toOrigin } from '../sql/sql.ts';
import { prepared } from './prepare.ts';

/** SQLite turns a digest into text: a row with bytes in it takes twice as long to read. */
const DIGEST = 'lower(hex(t.digest))';

/** A row of {@link TICKET_COLUMNS}. Rows are arrays: an object with a name for each value takes twice as long, too. */
type TicketRow = [
  userId: number,
  userGeneration: number,
  serverGeneration: number,
  issuedAt: number,
  usedAt: number,
];

function toTicket(digest: Digest, row: readonly [...TicketRow, ...unknown[]]): KeptTicket {
  const [userId, userGeneration, serverGeneration, issuedAt, usedAt] = row;
  return { digest, userId, userGeneration, serverGeneration, issuedAt, usedAt };
}

/** The columns of a {@link HeldRow}. */
const HELD_COLUMNS = `${TICKET_COLUMNS}, u.name, u.administrator, u.disabled, u.locked_until, u.generation`;

/** A ticket beside its digest, and its user. The user's values are `null` if the user is gone. */
type HeldRow = [
  ...TicketRow,
  name: string | null,
  administrator: number,
  disabled: number,
  lockedUntil: number,
  generation: number,
];

function toHeld(digest: Digest, row: readonly [...HeldRow, ...unknown[]]): TicketOnPage {
  const ticket = toTicket(digest, row);
  const [id, , , , , name, administrator, disabled, lockedUntil, generation] = row;
  if (name === null) return { ticket, user: undefined };
  const flags = { administrator: administrator === 1, disabled: disabled === 1 };
  return { ticket, user: { id, name, ...flags, lockedUntil, generation } };
}

/** Returns a function that looks a ticket up with its user and the server's generation, all in one row. */
export function lookUp(db: DatabaseSync): (digest: Digest) => HeldTicket | undefined {
  const find = db.prepare(
    `SELECT ${HELD_COLUMNS}, s.generation
     FROM tickets t JOIN users u ON u.id = t.user_id JOIN server s WHERE t.digest = ?`,
  );
  find.setReturnArrays(true);
  return (digest) => {
    const row = find.get(bytesOf(digest)) as unknown as [...HeldRow, serverGeneration: number] | undefined;
    if (row === undefined) return undefined;
    const { ticket, user } = toHeld(digest, row);
    return user && { ticket, user, serverGeneration: row.at(-1) as number };
  };
}

const STATEMENTS = {
  ...TICKETS,
  originOf: `SELECT ${ORIGIN_COLUMNS} FROM ticket_origins WHERE issued_at = $1 AND digest = $2`,
  use: 'UPDATE tickets SET used_at = $2 WHERE digest = $1 AND used_at < $2',
};

/** The tickets over one connection. */
export function ticketsOn(db: DatabaseSync): Tickets {
  const find = lookUp(db);
  const sql = prepared(db, STATEMENTS);
  const listOf = db.prepare(
    `SELECT ${DIGEST}, ${TICKET_COLUMNS} FROM tickets t WHERE user_id = ? ORDER BY issued_at, digest`,
  );
  const page = db.prepare(
    `SELECT ${DIGEST}, ${HELD_COLUMNS}
     FROM tickets t LEFT JOIN users u ON u.id = t.user_id WHERE t.digest > ? ORDER BY t.digest LIMIT ?`,
  );
  for (const rows of [listOf, page]) rows.setReturnArrays(true);

  return {
    find: async (digest) => find(digest),
    hold: async (digest) => find(digest),
    async listOf(userId) {
      const rows = listOf.all(userId) as unknown as [Digest, ...TicketRow][];
      return rows.map(([digest, ...row]) => toTicket(digest, row));
    },
    countOf: async (userId) => sql.countOf.get(userId)?.tickets as number,
    async page(after, limit) {
      const from = after === undefined ? Buffer.alloc(0) : bytesOf(after.digest);
      const rows = page.all(from, limit) as unknown as [Digest, ...HeldRow][];
      return rows.map(([digest, ...row]) => toHeld(digest, row));
    },
    originsOf: async (tickets) =>
      tickets.map(({ issuedAt, digest }) => {
        const row = sql.originOf.get(issuedAt, bytesOf(digest));
        return row && toOrigin(row);
      }),
    serverGeneration: async () => sql.serverGeneration.get()?.generation as number,
    async issue({ digest, userId, userGeneration, serverGeneration, issuedAt, usedAt }) {
      sql.issue.run(bytesOf(digest), userId, userGeneration, serverGeneration, issuedAt, usedAt);
      return digest;
    },
    async setOrigin({ issuedAt, digest }, origin) {
      sql.setOrigin.run(issuedAt, bytesOf(digest), ...originValues(origin));
    },
    end: async (digest) => sql.end.run(bytesOf(digest)).changes === 1,
    async use(digest, at) {
      sql.use.run(bytesOf(digest), at);
    },
    async moveToGeneration(digest, userGeneration) {
      sql.moveToGeneration.run(bytesOf(digest), userGeneration);
    },
    raiseServerGeneration: async () => sql.raiseServerGeneration.get()?.generation as number,
  };
}
