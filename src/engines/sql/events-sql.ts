import { EVENT_KINDS } from '../../core/domain/event.ts';
import { userKey } from '../../core/domain/user.ts';
import type { EventFilter, LatestEvents } from '../../core/storage/events.ts';
import { type Condition, type Listing, numbered, orderedQuery } from './people-sql.ts';

// As `sql.ts`, for lists and counts of events.

/** The indexes of events. In the first two the kind comes before the time. */
type EventIndex = 'events_of_user' | 'events_from' | 'events_of_kind' | 'events_by_time';

/** How an engine reads events. */
export interface EventReading {
  /** The columns of its rows. */
  readonly columns: string;
  /** The table, to be read by this index where the engine lets a query say so. */
  readonly tableBy: (index: EventIndex) => string;
}

/** More events than there can be. */
const ALL = Number.MAX_SAFE_INTEGER;

const condition = (sql: string, ...values: (string | number)[]): Condition => ({ sql, values });

/** The filters of a list, besides the time. */
type WhichEvents = Pick<LatestEvents, 'user' | 'kind' | 'from'>;

function conditionsOf({ user, from }: WhichEvents): Condition[] {
  return [
    ...(user === undefined ? [] : [condition('user_key = ?', userKey(user))]),
    ...(from === undefined ? [] : [condition('place = ?', from)]),
  ];
}

/** The index for a list. That of users holds the address too, so that it need not read the rows of other addresses. */
function indexFor({ user, kind, from }: WhichEvents): EventIndex {
  if (user !== undefined) return 'events_of_user';
  if (from !== undefined) return 'events_from';
  return kind === undefined ? 'events_by_time' : 'events_of_kind';
}

/**
 * The events in this order, up to a limit. The indexes go by the kind before the time. So a list of several kinds reads each of
 * them up to the limit, and takes the first ones of all.
 */
function listingOf(
  which: WhichEvents,
  times: readonly Condition[],
  { columns, tableBy }: EventReading,
  order: string,
  limit: number,
): Listing {
  const index = indexFor(which);
  const kinds = which.kind ?? (index === 'events_by_time' ? undefined : EVENT_KINDS);
  const select = `SELECT ${columns} FROM ${tableBy(index)}`;
  const conditions = [...conditionsOf(which), ...times];
  const branches =
    kinds === undefined
      ? [conditions]
      : [kinds].flat().map((kind) => [condition('kind = ?', kind), ...conditions]);
  const values = branches.flatMap((branch) => [...branch.flatMap((each) => each.values), limit]);
  const [text = '', ...more] = branches.map((branch) => orderedQuery(select, branch, order));
  if (more.length === 0) return { text: numbered(text), values };
  const union = [text, ...more].map((query) => `SELECT * FROM (${query}) AS one`).join(' UNION ALL ');
  return { text: numbered(`${union} ORDER BY ${order} LIMIT ?`), values: [...values, limit] };
}

/** The latest events that pass the filter. */
export function listingOfLatest(filter: LatestEvents, reading: EventReading): Listing {
  const { since, until, before, limit } = filter;
  const times: Condition[] = [];
  if (since !== undefined) times.push(condition('at >= ?', since));
  if (until !== undefined) times.push(condition('at < ?', until));
  if (before !== undefined) times.push(condition('(at, id) < (?, ?)', before.at, before.id));
  return listingOf(filter, times, reading, 'at DESC, id DESC', limit);
}

/** The events that pass the filter, the oldest first. */
export function listingOfOldest(filter: EventFilter, reading: EventReading): Listing {
  const { user, since = 0, after = { at: since, id: 0 }, limit = ALL } = filter;
  const times = [condition('(at, id) > (?, ?)', after.at, after.id)];
  return listingOf({ user }, times, reading, 'at, id', limit);
}

/**
 * The times of the kind `$1` in each of `$4` spans of `$3` ms from `$2` on. The index of kinds alone counts all rows. A row
 * that counts more than once stands in the index of tallies by its minute. Only minutes that have tallies are visited, each
 * found from the one before: a month has 44,640.
 */
export const COUNTS_OF_EVENTS = `WITH RECURSIVE asked (since, step, spans) AS (
    SELECT CAST($2 AS bigint), CAST($3 AS bigint), CAST($4 AS bigint)),
  spans (n, since, until) AS (SELECT 1, since, since + step FROM asked
    UNION ALL SELECT n + 1, until, until + step FROM spans, asked WHERE n < asked.spans),
  minutes (n, minute, until) AS (
    SELECT n, (SELECT e.minute FROM events e WHERE e.minute >= since / 60000 ORDER BY e.minute LIMIT 1), until / 60000 FROM spans
    UNION ALL
    SELECT n, (SELECT e.minute FROM events e WHERE e.minute > m.minute ORDER BY e.minute LIMIT 1), until
      FROM minutes m WHERE m.minute < until),
  tallies (n, more) AS (
    SELECT m.n, sum(e.count - 1) FROM minutes m CROSS JOIN events e
      WHERE m.minute < m.until AND e.minute = m.minute AND e.kind = $1 GROUP BY m.n)
  SELECT (SELECT count(*) FROM events WHERE kind = $1 AND at >= since AND at < until) + coalesce(more, 0) AS times
  FROM spans LEFT JOIN tallies ON tallies.n = spans.n ORDER BY spans.n`;
