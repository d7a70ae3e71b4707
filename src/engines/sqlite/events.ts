import { minuteOf } from '../../core/domain/event.ts';
import type { Events } from '../../core/storage/events.ts';
import { COUNTS_OF_EVENTS, type EventReading, listingOfLatest, listingOfOldest } from '../sql/events-sql.ts';
import { type Listing, listed } from '../sql/people-sql.ts';
import { eventValues, PROGRAM_OF_ALL, toEvent } from '../sql/sql.ts';
import { statements, type Writing } from '../sql/statement.ts';

const ADD = `INSERT INTO events (at, kind, user, user_key, place, digest, reason, count, minute, actor, program)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const SQL = statements('events', {
  appended: 'SELECT *, user AS user_name FROM events WHERE id > $1 ORDER BY id LIMIT $2',
  newest: 'SELECT *, user AS user_name FROM events ORDER BY id DESC LIMIT 1',
  append: ADD,
  tally: `${ADD} ON CONFLICT (minute, kind, user, place, reason) WHERE minute IS NOT NULL
    DO UPDATE SET count = count + excluded.count, program = ${PROGRAM_OF_ALL}`,
  counts: COUNTS_OF_EVENTS,
  sweep: 'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 LIMIT $2)',
});

const READING: EventReading = {
  columns: '*, user AS user_name',
  // SQLite does not know how frequent a user or an address is.
  tableBy: (index) => `events INDEXED BY ${index}`,
};

/** The events over one connection. */
export function eventsOn(db: Writing): Events {
  const list = (listing: Listing) => listed(db, 'events', listing);
  return {
    list: async (filter) => (await list(listingOfOldest(filter, READING))).map(toEvent),
    latest: async (filter) => (await list(listingOfLatest(filter, READING))).map(toEvent),
    async appended(after, limit) {
      const rows = after === undefined ? db.rows(SQL.newest) : db.rows(SQL.appended, after, limit);
      return (await rows).map(toEvent);
    },
    counts: async (kind, { since, step, number }) =>
      (await db.rows(SQL.counts, kind, since, step, number)).map(({ times }) => times as number),
    append: (event) => db.send(SQL.append, ...eventValues(event, 1, null)),
    tally: (event, times) => db.send(SQL.tally, ...eventValues(event, times, minuteOf(event.at))),
    sweep: (at, limit) => db.change(SQL.sweep, at, limit),
  };
}
