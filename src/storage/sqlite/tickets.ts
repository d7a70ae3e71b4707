import type { DatabaseSync } from 'node:sqlite';
import { bytesOf, type Digest, digestFrom, type HeldTicket, type KeptTicket } from '../../domain/ticket.ts';
import type { Tickets } from '../store.ts';
import { HOLDER_COLUMNS, toHolder } from './users.ts';

const TICKET_COLUMNS = 't.digest, t.user_id, t.user_generation, t.server_generation, t.issued_at, t.used_at';

function toTicket(row: Record<string, unknown>): KeptTicket {
  return {
    digest: digestFrom(row.digest as Uint8Array),
    userId: row.user_id as number,
    userGeneration: row.user_generation as number,
    serverGeneration: row.server_generation as number,
    issuedAt: row.issued_at as number,
    usedAt: row.used_at as number,
  };
}

/** The values of a held ticket, in the order in which they are asked for. */
type HeldRow = [
  userId: number,
  userGeneration: number,
  serverGeneration: number,
  issuedAt: number,
  usedAt: number,
  serverNow: number,
  name: string,
  administrator: number,
  disabled: number,
  lockedUntil: number,
  generation: number,
];

function toHeld(digest: Digest, row: HeldRow): HeldTicket {
  const [userId, userGeneration, serverGeneration, issuedAt, usedAt, serverNow, ...ofUser] = row;
  const [name, administrator, disabled, lockedUntil, generation] = ofUser;
  const flags = { administrator: administrator === 1, disabled: disabled === 1 };
  return {
    ticket: { digest, userId, userGeneration, serverGeneration, issuedAt, usedAt },
    user: { id: userId, name, ...flags, lockedUntil, generation },
    serverGeneration: serverNow,
  };
}

/** Looks tickets up, each with its user and the server's generation in one row. */
export function lookUp(db: DatabaseSync): (digest: Digest) => HeldTicket | undefined {
  const find = db.prepare(
    `SELECT t.user_id, t.user_generation, t.server_generation, t.issued_at, t.used_at, s.generation,
       u.name, u.administrator, u.disabled, u.locked_until, u.generation
     FROM tickets t JOIN users u ON u.id = t.user_id JOIN server s WHERE t.digest = ?`,
  );
  // The look-up of every request: a list of values costs less than an object with a name for each.
  find.setReturnArrays(true);
  return (digest) => {
    const row = find.get(bytesOf(digest)) as unknown as HeldRow | undefined;
    return row === undefined ? undefined : toHeld(digest, row);
  };
}

/** The ticket noun over one connection. */
export function ticketsOn(db: DatabaseSync): Tickets {
  const find = lookUp(db);
  const listOf = db.prepare(
    `SELECT ${TICKET_COLUMNS} FROM tickets t WHERE user_id = ? ORDER BY issued_at, digest`,
  );
  const countOf = db.prepare('SELECT count(*) AS tickets FROM tickets WHERE user_id = ?');
  const page = db.prepare(
    `SELECT ${TICKET_COLUMNS}, ${HOLDER_COLUMNS}
     FROM tickets t LEFT JOIN users u ON u.id = t.user_id WHERE t.digest > ? ORDER BY t.digest LIMIT ?`,
  );
  const generation = db.prepare('SELECT generation FROM server');
  const insert = db.prepare('INSERT INTO tickets VALUES (?, ?, ?, ?, ?, ?)');
  const end = db.prepare('DELETE FROM tickets WHERE digest = ?');
  const use = db.prepare('UPDATE tickets SET used_at = ?2 WHERE digest = ?1 AND used_at < ?2');
  const raise = db.prepare('UPDATE server SET generation = generation + 1 RETURNING generation');

  return {
    find: async (digest) => find(digest),
    listOf: async (userId) => listOf.all(userId).map(toTicket),
    countOf: async (userId) => countOf.get(userId)?.tickets as number,
    page: async (after, limit) =>
      page.all(after === undefined ? Buffer.alloc(0) : bytesOf(after.digest), limit).map((row) => ({
        ticket: toTicket(row),
        user: row.id === null ? undefined : toHolder(row),
      })),
    serverGeneration: async () => generation.get()?.generation as number,
    async issue({ digest, userId, userGeneration, serverGeneration, issuedAt, usedAt }) {
      insert.run(bytesOf(digest), userId, userGeneration, serverGeneration, issuedAt, usedAt);
    },
    end: async (digest) => end.run(bytesOf(digest)).changes === 1,
    async use(digest, at) {
      use.run(bytesOf(digest), at);
    },
    raiseServerGeneration: async () => raise.get()?.generation as number,
  };
}
