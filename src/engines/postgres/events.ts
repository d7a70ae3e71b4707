import { setTimeout as pause } from 'node:timers/promises';
import { countingAlso, type Event, minuteOf, type RecordedEvent } from '../../core/domain/event.ts';
import type { Events, EventsRead } from '../../core/storage/events.ts';
import { COUNTS_OF_EVENTS, type EventReading, listingOfLatest, listingOfOldest } from '../sql/events-sql.ts';
import { type Listing, listed } from '../sql/people-sql.ts';
import { eventValues, PROGRAM_OF_ALL, toEvent } from '../sql/sql.ts';
import { type Reading, type SqlValue, statements } from '../sql/statement.ts';
import type { Batch, PostgresWriting } from './statement.ts';

const COLUMNS = 'at, kind, user_name, user_key, place, digest, reason, count, minute, actor, program';
const TYPES = ['bigint', 'text', 'text', 'text', 'text', 'text', 'text', 'bigint', 'bigint', 'text', 'text'];
const ADD = `INSERT INTO events (${COLUMNS})
  SELECT * FROM unnest(${TYPES.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`;
/** The planner chooses an index by how frequent a user or an address is. */
const READING: EventReading = { columns: `id, ${COLUMNS}`, tableBy: () => 'events' };

const SQL = statements('events', {
  appended: `SELECT id, ${COLUMNS} FROM events WHERE id > $1 ORDER BY id LIMIT $2`,
  // A transaction takes this lock before it takes an id, and keeps it until it ends.
  writers: `SELECT virtualtransaction AS writer FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'events'::regclass AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  newest: `SELECT id, ${COLUMNS} FROM events ORDER BY id DESC LIMIT 1`,
  counts: COUNTS_OF_EVENTS,
  append: ADD,
  tally: `${ADD} ON CONFLICT (minute, kind, user_name, place, reason) WHERE minute IS NOT NULL
    DO UPDATE SET count = events.count + excluded.count, program = ${PROGRAM_OF_ALL}`,
  sweep:
    'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)',
});

/** An event to add; `minute` is set where its row counts attempts. */
interface AddedEvent {
  readonly event: Event;
  readonly count: number;
  readonly minute: number | null;
}

/** The values of all rows, in one array for each column. */
function columnsOf(added: readonly AddedEvent[]): SqlValue[] {
  const rows = added.map(({ event, count, minute }) => eventValues(event, count, minute));
  return TYPES.map((_, column) => rows.map((row) => row[column] as string | number | null));
}

const keyOf = ({ event: { kind, user = '', from = '', reason = '' }, minute }: AddedEvent) =>
  JSON.stringify([minute, kind, user, from, reason]);

/** One item for each row that is counted onto. All instances lock rows in this order, so that none deadlocks. */
function merged(tallies: readonly AddedEvent[]): AddedEvent[] {
  const rows = new Map<string, AddedEvent>();
  for (const tally of tallies) {
    const row = rows.get(keyOf(tally));
    rows.set(
      keyOf(tally),
      row === undefined
        ? tally
        : { ...row, event: countingAlso(row.event, tally.event), count: row.count + tally.count },
    );
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const APPENDED: Batch<AddedEvent> = { statement: SQL.append, values: columnsOf };
const TALLIED: Batch<AddedEvent> = {
  statement: SQL.tally,
  values: (tallies) => columnsOf(merged(tallies)),
};

/** The events up to the first id that is missing. */
function beforeGap(events: RecordedEvent[], after: number): RecordedEvent[] {
  const gap = events.findIndex(({ id }, at) => id !== after + 1 + at);
  return gap < 0 ? events : events.slice(0, gap);
}

/** For how long a reader waits for the transactions that may fill a gap, in milliseconds. */
const WRITERS_END_WITHIN = 1_000;

/** Waits until all transactions have ended that write events now. Returns false if one goes on for too long. */
async function writersEnd(db: Reading): Promise<boolean> {
  const writers = async () => (await db.rows(SQL.writers)).map(({ writer }) => writer as string);
  const giveUpAt = performance.now() + WRITERS_END_WITHIN;
  let left = await writers();
  while (left.length > 0) {
    if (performance.now() > giveUpAt) return false;
    await pause(10);
    const now = await writers();
    left = left.filter((writer) => now.includes(writer));
  }
  return true;
}

/** The events of read units. */
export function eventsRead(db: Reading): EventsRead {
  const list = (listing: Listing) => listed(db, 'events', listing);
  return {
    list: async (filter) => (await list(listingOfOldest(filter, READING))).map(toEvent),
    async appended(after, limit) {
      if (after === undefined) return (await db.rows(SQL.newest)).map(toEvent);
      const found = (await db.rows(SQL.appended, after, limit)).map(toEvent);
      const whole = beforeGap(found, after);
      if (whole.length === found.length || !(await writersEnd(db))) return whole;
      // All ids up to the last one found are now those of rows, or of none for ever.
      const last = found.at(-1)?.id ?? after;
      return (await db.rows(SQL.appended, after, limit)).map(toEvent).filter(({ id }) => id <= last);
    },
    counts: async (kind, { since, step, number }) =>
      (await db.rows(SQL.counts, kind, since, step, number)).map(({ times }) => Number(times)),
    latest: async (filter) => (await list(listingOfLatest(filter, READING))).map(toEvent),
  };
}

/** The events of one write unit. */
export function eventsIn(db: PostgresWriting): Events {
  return {
    ...eventsRead(db),
    append: (event) => db.gather(APPENDED, { event, count: 1, minute: null }),
    tally: (event, times) => db.gather(TALLIED, { event, count: times, minute: minuteOf(event.at) }),
    sweep: (at, limit) => db.change(SQL.sweep, at, limit),
  };
}
