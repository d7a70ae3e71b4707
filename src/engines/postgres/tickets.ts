import {
  bytesOf,
  type Digest,
  digestFrom,
  type HeldTicket,
  type KeptTicket,
} from '../../core/domain/ticket.ts';
import type { Holder } from '../../core/domain/user.ts';
import type { Tickets, TicketsRead } from '../../core/storage/store.ts';
import { ORIGIN_COLUMNS, originValues, type SqlRow, TICKET_COLUMNS, TICKETS, toOrigin } from '../sql/sql.ts';
import { type Reading, statements } from '../sql/statement.ts';
import type { Batch, PostgresWriting } from './statement.ts';

/** A held ticket as one text, since the driver spends most of a look-up on reading columns. The name may have spaces. */
const HELD = `SELECT concat_ws(' ', t.user_id, t.user_generation, t.server_generation, t.issued_at, t.used_at,
    u.administrator::int, u.disabled::int, u.locked_until, u.generation, (SELECT generation FROM server), u.name) AS held
  FROM tickets t JOIN users u ON u.id = t.user_id`;
const HOLDER_COLUMNS = 'u.id, u.name, u.administrator, u.disabled, u.locked_until, u.generation';
const SQL = statements('tickets', {
  ...TICKETS,
  find: `${HELD} WHERE t.digest = $1`,
  // The user first, as everywhere. An end of the ticket waits for the second lock, and a use, too.
  lockHolder: 'SELECT FROM users WHERE id = (SELECT user_id FROM tickets WHERE digest = $1) FOR UPDATE',
  hold: `${HELD} WHERE t.digest = $1 FOR KEY SHARE OF t`,
  // LIMIT makes the planner look each digest up by index, however many it expects.
  findMany: `SELECT asked.place || ' ' || h.held AS held FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (digest, place)
    CROSS JOIN LATERAL (${HELD} WHERE t.digest = asked.digest LIMIT 1) h`,
  listOf: `SELECT t.digest, ${TICKET_COLUMNS} FROM tickets t WHERE user_id = $1 ORDER BY issued_at, digest`,
  page: `SELECT t.digest, ${TICKET_COLUMNS}, ${HOLDER_COLUMNS}
    FROM tickets t LEFT JOIN users u ON u.id = t.user_id WHERE t.digest > $1 ORDER BY t.digest LIMIT $2`,
  originsOf: `SELECT asked.digest, ${ORIGIN_COLUMNS} FROM unnest($1::bigint[], $2::bytea[]) AS asked (issued_at, digest)
    CROSS JOIN LATERAL (SELECT ${ORIGIN_COLUMNS} FROM ticket_origins WHERE issued_at = asked.issued_at AND digest = asked.digest
      LIMIT 1) o`,
  // Locks the rows in one order in all instances, so that none deadlocks.
  use: `WITH due AS MATERIALIZED (
      SELECT t.digest, made.at FROM unnest($1::bytea[], $2::bigint[]) AS made (digest, at) JOIN tickets t USING (digest)
      WHERE t.used_at < made.at ORDER BY t.digest FOR UPDATE OF t)
    UPDATE tickets t SET used_at = greatest(t.used_at, due.at) FROM due WHERE t.digest = due.digest`,
});

const USES: Batch<{ digest: Digest; at: number }> = {
  statement: SQL.use,
  values: (uses) => [uses.map(({ digest }) => bytesOf(digest)), uses.map(({ at }) => at)],
};

function toTicket(row: SqlRow, digest = digestFrom(row.digest as Buffer)): KeptTicket {
  return {
    digest,
    userId: row.user_id as number,
    userGeneration: row.user_generation as number,
    serverGeneration: row.server_generation as number,
    issuedAt: row.issued_at as number,
    usedAt: row.used_at as number,
  };
}

function toHolder(row: SqlRow): Holder {
  return {
    id: row.id as number,
    name: row.name as string,
    administrator: row.administrator as boolean,
    disabled: row.disabled as boolean,
    lockedUntil: row.locked_until as number,
    generation: row.generation as number,
  };
}

/** The ticket in a text of {@link HELD}, which begins after so many words. */
function heldIn(text: string, digest: Digest, from = 0): HeldTicket {
  const words = text.split(' ');
  const number = (at: number) => Number(words[from + at]);
  const userId = number(0);
  return {
    ticket: {
      digest,
      userId,
      userGeneration: number(1),
      serverGeneration: number(2),
      issuedAt: number(3),
      usedAt: number(4),
    },
    user: {
      id: userId,
      name: words.slice(from + 10).join(' '),
      administrator: words[from + 5] === '1',
      disabled: words[from + 6] === '1',
      lockedUntil: number(7),
      generation: number(8),
    },
    serverGeneration: number(9),
  };
}

async function findOne(db: Reading, digest: Digest, find = SQL.find): Promise<HeldTicket | undefined> {
  const [row] = await db.rows(find, bytesOf(digest));
  return row && heldIn(row.held as string, digest);
}

/** The tickets of these digests, in their order, by one statement. */
async function findTickets(db: Reading, digests: readonly Digest[]): Promise<(HeldTicket | undefined)[]> {
  const [first, second] = digests;
  if (first !== undefined && second === undefined) return [await findOne(db, first)];
  const found = new Array<HeldTicket | undefined>(digests.length).fill(undefined);
  for (const { held: json } of await db.rows(SQL.findMany, digests.map(bytesOf))) {
    const text = json as string;
    const place = Number(text.slice(0, text.indexOf(' '))) - 1;
    found[place] = heldIn(text, digests[place] as Digest, 1);
  }
  return found;
}

/** The tickets of read units. */
export function ticketsRead(db: Reading): TicketsRead {
  return {
    find: (digest) => findOne(db, digest),
    listOf: async (userId) => (await db.rows(SQL.listOf, userId)).map((row) => toTicket(row)),
    countOf: async (userId) => (await db.rows(SQL.countOf, userId))[0]?.tickets as number,
    async page(after, limit) {
      const from = after === undefined ? Buffer.alloc(0) : bytesOf(after.digest);
      const rows = await db.rows(SQL.page, from, limit);
      return rows.map((row) => ({
        ticket: toTicket(row),
        user: row.id === null ? undefined : toHolder(row),
      }));
    },
    async originsOf(tickets) {
      const times = tickets.map(({ issuedAt }) => issuedAt);
      const digests = tickets.map(({ digest }) => bytesOf(digest));
      const rows = await db.rows(SQL.originsOf, times, digests);
      const found = new Map(rows.map((row) => [digestFrom(row.digest as Buffer), toOrigin(row)]));
      return tickets.map(({ digest }) => found.get(digest));
    },
    serverGeneration: async () => (await db.rows(SQL.serverGeneration))[0]?.generation as number,
  };
}

/** The tickets of one write unit, which calls `onUse` for each use that it writes. */
export function ticketsIn(db: PostgresWriting, onUse: (digest: Digest) => void): Tickets {
  return {
    ...ticketsRead(db),
    async issue({ digest, userId, userGeneration, serverGeneration, issuedAt, usedAt }) {
      const generations = [userGeneration, serverGeneration];
      await db.send(SQL.issue, bytesOf(digest), userId, ...generations, issuedAt, usedAt);
      return digest;
    },
    setOrigin: ({ issuedAt, digest }, origin) =>
      db.send(SQL.setOrigin, issuedAt, bytesOf(digest), ...originValues(origin)),
    async hold(digest) {
      await db.send(SQL.lockHolder, bytesOf(digest));
      return findOne(db, digest, SQL.hold);
    },
    end: async (digest) => (await db.change(SQL.end, bytesOf(digest))) === 1,
    use: (digest, at) => {
      onUse(digest);
      return db.gather(USES, { digest, at });
    },
    moveToGeneration: (digest, userGeneration) =>
      db.send(SQL.moveToGeneration, bytesOf(digest), userGeneration),
    raiseServerGeneration: async () => (await db.rows(SQL.raiseServerGeneration))[0]?.generation as number,
  };
}

interface PendingLookup {
  readonly digest: Digest;
  readonly found: (heldTicket: HeldTicket | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** How many digests one statement looks up at most. */
const MOST_DIGESTS = 250;

/**
 * Looks tickets up for read units, several in one statement: the ones that are asked for in the same turn of the event
 * loop, or while earlier statements are under way. A single look-up takes one round trip as before; of many, each costs
 * the server and this process half as much.
 */
export class BatchedTicketLookup {
  readonly #db: Reading;
  /** How many statements may be under way at once. */
  readonly #most: number;
  #asked: PendingLookup[] = [];
  #underWay = 0;
  #isDue = false;

  constructor(db: Reading, most: number) {
    this.#db = db;
    this.#most = most;
  }

  /** The ticket as it is committed at some moment after this call. */
  find(digest: Digest): Promise<HeldTicket | undefined> {
    return new Promise((found, fail) => {
      this.#asked.push({ digest, found, fail });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isDue || this.#underWay === this.#most) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#lookUp();
      // What did not fit into one statement goes to another connection at once.
      if (this.#asked.length > 0) this.#schedule();
    });
  }

  async #lookUp(): Promise<void> {
    this.#underWay += 1;
    while (this.#asked.length > 0) {
      const batch = this.#asked.splice(0, MOST_DIGESTS);
      try {
        const tickets = await findTickets(
          this.#db,
          batch.map(({ digest }) => digest),
        );
        for (const [place, { found }] of batch.entries()) found(tickets[place]);
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    this.#underWay -= 1;
  }
}
