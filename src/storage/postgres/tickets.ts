import { bytesOf, type Digest, digestFrom, type HeldTicket, type KeptTicket } from '../../domain/ticket.ts';
import type { Tickets, TicketsRead } from '../store.ts';
import { type Batch, type Reading, type ResultRow, statement, type Writing } from './statement.ts';
import { HOLDER_COLUMNS, toHolder } from './users.ts';

const KEPT_COLUMNS = 't.user_id, t.user_generation, t.server_generation, t.issued_at, t.used_at';
const TICKET_COLUMNS = `t.digest, ${KEPT_COLUMNS}`;
const HELD_COLUMNS = `${KEPT_COLUMNS}, ${HOLDER_COLUMNS}, (SELECT generation FROM server) AS server_now`;

const FIND = statement(
  'tickets',
  'find',
  `SELECT ${HELD_COLUMNS} FROM tickets t JOIN users u ON u.id = t.user_id WHERE t.digest = $1`,
);
// LIMIT keeps the look-ups apart, each by index, however many the planner takes the digests for.
const FIND_MANY = statement(
  'tickets',
  'findMany',
  `SELECT asked.place, held.* FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (digest, place) CROSS JOIN LATERAL
     (SELECT ${HELD_COLUMNS} FROM tickets t JOIN users u ON u.id = t.user_id WHERE t.digest = asked.digest LIMIT 1) held`,
);
const LIST_OF = statement(
  'tickets',
  'listOf',
  `SELECT ${TICKET_COLUMNS} FROM tickets t WHERE user_id = $1 ORDER BY issued_at, digest`,
);
const COUNT_OF = statement(
  'tickets',
  'countOf',
  'SELECT count(*) AS tickets FROM tickets WHERE user_id = $1',
);
const PAGE = statement(
  'tickets',
  'page',
  `SELECT ${TICKET_COLUMNS}, ${HOLDER_COLUMNS}
   FROM tickets t LEFT JOIN users u ON u.id = t.user_id WHERE t.digest > $1 ORDER BY t.digest LIMIT $2`,
);
const GENERATION = statement('tickets', 'generation', 'SELECT generation FROM server');
const ISSUE = statement('tickets', 'issue', 'INSERT INTO tickets VALUES ($1, $2, $3, $4, $5, $6)');
const END = statement('tickets', 'end', 'DELETE FROM tickets WHERE digest = $1');
const RAISE = statement(
  'tickets',
  'raise',
  'UPDATE server SET generation = generation + 1 RETURNING generation',
);

/** Uses are locked in one order, so that instances that write the same ones do not wait for each other in a ring. */
const USES: Batch<{ digest: Digest; at: number }> = {
  statement: statement(
    'tickets',
    'use',
    `WITH due AS MATERIALIZED (
       SELECT t.digest, made.at FROM unnest($1::bytea[], $2::bigint[]) AS made (digest, at) JOIN tickets t USING (digest)
       WHERE t.used_at < made.at ORDER BY t.digest FOR UPDATE OF t)
     UPDATE tickets t SET used_at = greatest(t.used_at, due.at) FROM due WHERE t.digest = due.digest`,
  ),
  values: (uses) => [uses.map(({ digest }) => bytesOf(digest)), uses.map(({ at }) => at)],
};

function toTicket(row: ResultRow, digest = digestFrom(row.digest as Buffer)): KeptTicket {
  return {
    digest,
    userId: row.user_id as number,
    userGeneration: row.user_generation as number,
    serverGeneration: row.server_generation as number,
    issuedAt: row.issued_at as number,
    usedAt: row.used_at as number,
  };
}

const toHeld = (row: ResultRow, digest: Digest): HeldTicket => ({
  ticket: toTicket(row, digest),
  user: toHolder(row),
  serverGeneration: row.server_now as number,
});

async function findOne(db: Reading, digest: Digest): Promise<HeldTicket | undefined> {
  const [row] = await db.rows(FIND, bytesOf(digest));
  return row === undefined ? undefined : toHeld(row, digest);
}

/** The held tickets of these digests, in their order, by one statement. */
export async function findTickets(
  db: Reading,
  digests: readonly Digest[],
): Promise<(HeldTicket | undefined)[]> {
  const [first, second] = digests;
  if (first !== undefined && second === undefined) return [await findOne(db, first)];
  const found = new Array<HeldTicket | undefined>(digests.length).fill(undefined);
  for (const row of await db.rows(FIND_MANY, digests.map(bytesOf))) {
    const place = (row.place as number) - 1;
    found[place] = toHeld(row, digests[place] as Digest);
  }
  return found;
}

/** The ticket noun of read units. */
export function ticketsRead(db: Reading): TicketsRead {
  return {
    find: (digest) => findOne(db, digest),
    listOf: async (userId) => (await db.rows(LIST_OF, userId)).map((row) => toTicket(row)),
    countOf: async (userId) => (await db.rows(COUNT_OF, userId))[0]?.tickets as number,
    page: async (after, limit) =>
      (await db.rows(PAGE, after === undefined ? Buffer.alloc(0) : bytesOf(after.digest), limit)).map(
        (row) => ({
          ticket: toTicket(row),
          user: row.id === null ? undefined : toHolder(row),
        }),
      ),
    serverGeneration: async () => (await db.rows(GENERATION))[0]?.generation as number,
  };
}

/** The ticket noun of one write unit. */
export function ticketsIn(db: Writing): Tickets {
  return {
    ...ticketsRead(db),
    async issue({ digest, userId, userGeneration, serverGeneration, issuedAt, usedAt }) {
      await db.send(ISSUE, bytesOf(digest), userId, userGeneration, serverGeneration, issuedAt, usedAt);
      return digest;
    },
    end: async (digest) => (await db.change(END, bytesOf(digest))) === 1,
    use: (digest, at) => db.gather(USES, { digest, at }),
    raiseServerGeneration: async () => (await db.rows(RAISE))[0]?.generation as number,
  };
}
