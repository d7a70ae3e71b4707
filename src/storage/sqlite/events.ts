import type { DatabaseSync } from 'node:sqlite';
import { type Event, type EventKind, minuteOf, type RecordedEvent } from '../../domain/event.ts';
import { userKey } from '../../domain/user.ts';
import type { Events } from '../store.ts';

const COLUMNS = 'at, kind, user, user_key, place, digest, reason, count, minute';

const unlessEmpty = (text: unknown) => (text === '' ? undefined : (text as string));

function toEvent(row: Record<string, unknown>): RecordedEvent {
  return {
    id: row.id as number,
    at: row.at as number,
    kind: row.kind as EventKind,
    user: unlessEmpty(row.user),
    from: unlessEmpty(row.place),
    digest: unlessEmpty(row.digest),
    reason: unlessEmpty(row.reason),
    count: row.count as number,
  };
}

const values = ({ at, kind, user = '', from = '', digest = '', reason = '' }: Event) =>
  [at, kind, user, userKey(user), from, digest, reason] as const;

/** The event noun over one connection. */
export function eventsOn(db: DatabaseSync): Events {
  const list = db.prepare(
    'SELECT * FROM events WHERE (at, id) > (?, ?) AND (?3 IS NULL OR user_key = ?3) ORDER BY at, id LIMIT ?',
  );
  const append = db.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL)`);
  const tally = db.prepare(
    `INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (minute, kind, user, place, reason) WHERE minute IS NOT NULL DO UPDATE SET count = count + excluded.count`,
  );
  const sweep = db.prepare('DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ? LIMIT ?)');

  return {
    list: async ({ user, since = 0, after = { at: since, id: 0 }, limit = -1 }) =>
      list.all(after.at, after.id, user === undefined ? null : userKey(user), limit).map(toEvent),
    async append(event) {
      append.run(...values(event));
    },
    async tally(event, times) {
      tally.run(...values(event), times, minuteOf(event.at));
    },
    sweep: async (at, limit) => Number(sweep.run(at, limit).changes),
  };
}
