import { type Event, type EventKind, minuteOf, type RecordedEvent } from '../../domain/event.ts';
import { userKey } from '../../domain/user.ts';
import type { Events, EventsRead } from '../store.ts';
import { type Batch, type Reading, type ResultRow, statement, unescaped, type Writing } from './statement.ts';

const COLUMNS = 'at, kind, user_name, user_key, place, digest, reason, count, minute';
const ARRAYS =
  '$1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[]';

const listed = (verb: string, where: string) =>
  statement(
    'events',
    verb,
    `SELECT id, ${COLUMNS} FROM events WHERE (at, id) > ($1, $2) ${where} ORDER BY at, id LIMIT $3`,
  );
const LIST = listed('list', '');
const LIST_OF_USER = listed('listOfUser', 'AND user_key = $4');
const SWEEP = statement(
  'events',
  'sweep',
  'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)',
);

/** What is added together; `minute` is set on the rows that count tries, and only there. */
interface Added {
  readonly event: Event;
  readonly count: number;
  readonly minute: number | null;
}

function columnsOf(added: readonly Added[]) {
  return [
    added.map(({ event }) => event.at),
    added.map(({ event }) => event.kind),
    added.map(({ event }) => event.user ?? ''),
    added.map(({ event }) => userKey(event.user ?? '')),
    added.map(({ event }) => event.from ?? ''),
    added.map(({ event }) => event.digest ?? ''),
    added.map(({ event }) => event.reason ?? ''),
    added.map(({ count }) => count),
    added.map(({ minute }) => minute),
  ];
}

const keyOf = ({ event: { kind, user = '', from = '', reason = '' }, minute }: Added) =>
  JSON.stringify([minute, kind, user, from, reason]);

/** One for each row that is counted onto, in one order for all instances, so that none waits for another in a ring. */
function counted(tallies: readonly Added[]): Added[] {
  const rows = new Map<string, Added>();
  for (const tally of tallies) {
    const row = rows.get(keyOf(tally));
    rows.set(keyOf(tally), row === undefined ? tally : { ...row, count: row.count + tally.count });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const APPENDED: Batch<Added> = {
  statement: statement('events', 'append', `INSERT INTO events (${COLUMNS}) SELECT * FROM unnest(${ARRAYS})`),
  values: columnsOf,
};
const TALLIED: Batch<Added> = {
  statement: statement(
    'events',
    'tally',
    `INSERT INTO events (${COLUMNS}) SELECT * FROM unnest(${ARRAYS})
     ON CONFLICT (minute, kind, user_name, place, reason) WHERE minute IS NOT NULL
     DO UPDATE SET count = events.count + excluded.count`,
  ),
  values: (tallies) => columnsOf(counted(tallies)),
};

const unlessEmpty = (text: unknown) => (text === '' ? undefined : unescaped(text as string));

function toEvent(row: ResultRow): RecordedEvent {
  return {
    id: row.id as number,
    at: row.at as number,
    kind: row.kind as EventKind,
    user: unlessEmpty(row.user_name),
    from: unlessEmpty(row.place),
    digest: unlessEmpty(row.digest),
    reason: unlessEmpty(row.reason),
    count: row.count as number,
  };
}

/** The event noun of read units. */
export function eventsRead(db: Reading): EventsRead {
  return {
    async list({ user, since = 0, after = { at: since, id: 0 }, limit }) {
      const page = [after.at, after.id, limit ?? null];
      const rows =
        user === undefined
          ? await db.rows(LIST, ...page)
          : await db.rows(LIST_OF_USER, ...page, userKey(user));
      return rows.map(toEvent);
    },
  };
}

/** The event noun of one write unit. */
export function eventsIn(db: Writing): Events {
  return {
    ...eventsRead(db),
    append: (event) => db.gather(APPENDED, { event, count: 1, minute: null }),
    tally: (event, times) => db.gather(TALLIED, { event, count: times, minute: minuteOf(event.at) }),
    sweep: (at, limit) => db.change(SWEEP, at, limit),
  };
}
