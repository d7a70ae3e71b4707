import type { DatabaseSync } from 'node:sqlite';
import { minuteOf } from '../../core/domain/event.ts';
import type { Events } from '../../core/storage/events.ts';
import { COUNTS_OF_EVENTS, type EventReading, listingOfLatest, listingOfOldest } from '../sql/events-sql.ts';
import { eventValues, PROGRAM_OF_ALL, toEvent } from '../sql/sql.ts';
import { listingOn } from './people.ts';
import { prepared } from './prepare.ts';

const ADD = `INSERT INTO events (at, kind, user, user_key, place, digest, reason, count, minute, actor, program)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const STATEMENTS = {
  appended: 'SELECT *, user AS user_name FROM events WHERE id > $1 ORDER BY id LIMIT $2',
  newest: 'SELECT *, user AS user_name FROM events ORDER BY id DESC LIMIT 1',
  append: ADD,
  tally: `${ADD} ON CONFLICT (minute, kind, user, place, reason) WHERE minute IS NOT NULL
    DO UPDATE SET count = count + excluded.count, program = ${PROGRAM_OF_ALL}`,
  counts: COUNTS_OF_EVENTS,
  sweep: 'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 LIMIT $2)',
};

const READING: EventReading = {
  columns: '*, user AS user_name',
  // SQLite does not know how frequent a user or an address is.
  tableBy: (index) => `events INDEXED BY ${index}`,
};

/** The events over one connection. */
export function eventsOn(db: DatabaseSync): Events {
  const sql = prepared(db, STATEMENTS);
  const listed = listingOn(db);
  return {
    list: async (filter) => listed(listingOfOldest(filter, READING)).map(toEvent),
    latest: async (filter) => listed(listingOfLatest(filter, READING)).map(toEvent),
    appended: async (after, limit) =>
      (after === undefined ? sql.newest.all() : sql.appended.all(after, limit)).map(toEvent),
    counts: async (kind, { since, step, number }) =>
      sql.counts.all(kind, since, step, number).map(({ times }) => times as number),
    async append(event) {
      sql.append.run(...eventValues(event, 1, null));
    },
    async tally(event, times) {
      sql.tally.run(...eventValues(event, times, minuteOf(event.at)));
    },
    sweep: async (at, limit) => Number(sql.sweep.run(at, limit).changes),
  };
}
