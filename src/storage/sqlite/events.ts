import type { DatabaseSync } from 'node:sqlite';
import { minuteOf } from '../../domain/event.ts';
import { userKey } from '../../domain/user.ts';
import type { Events } from '../events.ts';
import { listingOfEvents } from '../people-sql.ts';
import { COUNTS_OF_EVENTS, eventValues, toEvent } from '../sql.ts';
import { listingOn } from './people.ts';
import { prepared } from './prepare.ts';

const ADD = `INSERT INTO events (at, kind, user, user_key, place, digest, reason, count, minute, actor)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const STATEMENTS = {
  list: `SELECT *, user AS user_name FROM events WHERE (at, id) > ($1, $2) AND ($3 IS NULL OR user_key = $3)
    ORDER BY at, id LIMIT $4`,
  appended: 'SELECT *, user AS user_name FROM events WHERE id > $1 ORDER BY id LIMIT $2',
  newest: 'SELECT *, user AS user_name FROM events ORDER BY id DESC LIMIT 1',
  append: ADD,
  tally: `${ADD} ON CONFLICT (minute, kind, user, place, reason) WHERE minute IS NOT NULL
    DO UPDATE SET count = count + excluded.count`,
  counts: COUNTS_OF_EVENTS,
  sweep: 'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < $1 LIMIT $2)',
};

/** The events over one connection. */
export function eventsOn(db: DatabaseSync): Events {
  const sql = prepared(db, STATEMENTS);
  const listed = listingOn(db);
  return {
    list: async ({ user, since = 0, after = { at: since, id: 0 }, limit = -1 }) =>
      sql.list.all(after.at, after.id, user === undefined ? null : userKey(user), limit).map(toEvent),
    latest: async (filter) => listed(listingOfEvents(filter, '*, user AS user_name')).map(toEvent),
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
