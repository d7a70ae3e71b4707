import { type EventKind, isEventKind } from '../../../core/domain/event.ts';
import { type SqlRow, toEvent } from '../../../engines/sql/sql.ts';
import {
  type DeliveredEvent,
  MOST_COUNTED,
  type TakenDelivery,
  type WebhookReceiver,
  type WebhookState,
} from './webhooks.ts';

// As `sql.ts`, for webhooks.

const OF_EVENT = 'at, kind, about, actor, place, reason, count';
const DUE = `SELECT event_id, receiver FROM webhook_deliveries WHERE receiver = $1 AND dead_at IS NULL AND due_at <= $2
    AND EXISTS (SELECT 1 FROM webhook_receivers WHERE id = $1 AND gone_at IS NULL) ORDER BY due_at LIMIT $4`;
/** The first waiting and the first dead deliveries of the receiver `r`. */
const WAITING = `FROM (SELECT at FROM webhook_deliveries WHERE receiver = r.id AND dead_at IS NULL
  ORDER BY due_at LIMIT ${MOST_COUNTED}) counted`;
const DEAD = `FROM (SELECT 1 FROM webhook_deliveries WHERE receiver = r.id AND dead_at IS NOT NULL
  LIMIT ${MOST_COUNTED}) counted`;
/** The row of a delivery that is still taken by the same process: the end of that time is written in it. */
const TAKEN = 'WHERE event_id = $1 AND receiver = $2 AND due_at = $3 AND dead_at IS NULL';

/** The statements; `skipLocked` ends the query of rows that other transactions may have locked. */
export const webhookStatements = (skipLocked: string) => ({
  list: `SELECT r.*, (SELECT count(*) ${WAITING}) AS waiting, (SELECT min(at) ${WAITING}) AS oldest_at,
    (SELECT count(*) ${DEAD}) AS dead FROM webhook_receivers r ORDER BY r.id`,
  due: `SELECT r.id FROM webhook_receivers r WHERE r.gone_at IS NULL AND EXISTS
    (SELECT 1 FROM webhook_deliveries d WHERE d.receiver = r.id AND d.dead_at IS NULL AND d.due_at <= $1) ORDER BY r.id`,
  register: `INSERT INTO webhook_receivers (id, kinds, fault) VALUES ($1, $2, '')
    ON CONFLICT (id) DO UPDATE SET kinds = excluded.kinds`,
  ids: 'SELECT id FROM webhook_receivers',
  unregister: 'DELETE FROM webhook_receivers WHERE id = $1',
  drop: 'DELETE FROM webhook_deliveries WHERE receiver = $1',
  take: `UPDATE webhook_deliveries SET due_at = $3, attempts = attempts + 1
    WHERE (event_id, receiver) IN (${DUE} ${skipLocked}) RETURNING event_id, receiver, ${OF_EVENT}, attempts, due_at`,
  delivered: 'DELETE FROM webhook_deliveries WHERE event_id = $1 AND receiver = $2',
  postpone: `UPDATE webhook_deliveries SET due_at = $4 ${TAKEN}`,
  giveUp: `UPDATE webhook_deliveries SET dead_at = $4 ${TAKEN}`,
  noteFault: 'UPDATE webhook_receivers SET fault_at = $2, fault = $3 WHERE id = $1',
  noteGone: 'UPDATE webhook_receivers SET gone_at = $2 WHERE id = $1 AND gone_at IS NULL',
  resume: 'UPDATE webhook_receivers SET gone_at = NULL WHERE id = $1 AND gone_at IS NOT NULL',
  retryDead:
    'UPDATE webhook_deliveries SET dead_at = NULL, due_at = $2, attempts = 0 WHERE receiver = $1 AND dead_at IS NOT NULL',
  retryAll: 'UPDATE webhook_deliveries SET dead_at = NULL, due_at = $2, attempts = 0 WHERE receiver = $1',
  enqueue: `INSERT INTO webhook_deliveries (event_id, receiver, ${OF_EVENT}, due_at, attempts)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)
    ON CONFLICT (event_id, receiver) DO UPDATE SET dead_at = NULL, due_at = excluded.due_at, attempts = 0`,
  sweep: `DELETE FROM webhook_deliveries WHERE (event_id, receiver) IN
    (SELECT event_id, receiver FROM webhook_deliveries WHERE at < $1 ORDER BY at LIMIT $2 ${skipLocked})`,
});

/** The kinds of a receiver as one text, in which the triggers look for ` KIND `. */
export const kindsText = ({ kinds }: WebhookReceiver) => (kinds.length === 0 ? '' : ` ${kinds.join(' ')} `);

const kindsOf = (text: string): EventKind[] => text.split(' ').filter(isEventKind);

export function toWebhookState(row: SqlRow): WebhookState {
  const at = row.fault_at as number | null;
  return {
    id: row.id as string,
    kinds: kindsOf(row.kinds as string),
    goneAt: (row.gone_at as number | null) ?? undefined,
    lastFault: at === null ? undefined : { at, why: row.fault as string },
    waiting: row.waiting as number,
    oldestAt: (row.oldest_at as number | null) ?? undefined,
    dead: row.dead as number,
  };
}

export function toTakenDelivery(row: SqlRow): TakenDelivery {
  const { digest, ...event } = toEvent({ ...row, id: row.event_id, user_name: row.about });
  return {
    receiver: row.receiver as string,
    event,
    attempt: row.attempts as number,
    takenUntil: row.due_at as number,
  };
}

/** The values that identify a delivery while it is taken. */
export const takenValues = ({ event, receiver, takenUntil }: TakenDelivery) =>
  [event.id, receiver, takenUntil] as const;

/** The values of a delivery that is added. */
export function enqueueValues(receiver: string, event: DeliveredEvent, now: number): (string | number)[] {
  const { id, at, kind, user = '', actor = '', from = '', reason = '', count } = event;
  return [id, receiver, at, kind, user, actor, from, reason, count, now];
}
