import { type EventKind, isEventKind } from '../../../core/domain/event.ts';
import { type SqlRow, toEvent } from '../../../engines/sql/sql.ts';
import { type Reading, statements, type UnitTable } from '../../../engines/sql/statement.ts';
import {
  type DeliveredEvent,
  MOST_COUNTED,
  type TakenDelivery,
  type WebhookReceiver,
  type WebhookState,
  type Webhooks,
  type WebhooksRead,
} from './webhooks.ts';

const OF_EVENT = 'at, kind, about, actor, place, program, reason, count';
const DUE = `SELECT event_id, receiver FROM webhook_deliveries WHERE receiver = $1 AND dead_at IS NULL AND due_at <= $2
    AND EXISTS (SELECT 1 FROM webhook_receivers WHERE id = $1 AND gone_at IS NULL) ORDER BY due_at LIMIT $4`;
/** The first waiting and the first dead deliveries of the receiver `r`. */
const WAITING = `FROM (SELECT at FROM webhook_deliveries WHERE receiver = r.id AND dead_at IS NULL
  ORDER BY due_at LIMIT ${MOST_COUNTED}) counted`;
const DEAD = `FROM (SELECT 1 FROM webhook_deliveries WHERE receiver = r.id AND dead_at IS NOT NULL
  LIMIT ${MOST_COUNTED}) counted`;
/** The row of a delivery that is still taken by the same process: the end of that time is written in it. */
const TAKEN = 'WHERE event_id = $1 AND receiver = $2 AND due_at = $3 AND dead_at IS NULL';

/** A text that ends a query of rows which other transactions may have locked. One unit writes to SQLite at a time. */
const skippingLocked = (of: (skipLocked: string) => string) => ({
  postgres: of('FOR UPDATE SKIP LOCKED'),
  sqlite: of(''),
});

const SQL = statements('webhooks', {
  list: `SELECT r.id, r.kinds, r.gone_at, r.delivered_at, r.fault_at, r.fault,
    (SELECT count(*) ${WAITING}) AS waiting, (SELECT min(at) ${WAITING}) AS oldest_at,
    (SELECT count(*) ${DEAD}) AS dead FROM webhook_receivers r ORDER BY r.id`,
  due: `SELECT r.id FROM webhook_receivers r WHERE r.gone_at IS NULL AND EXISTS
    (SELECT 1 FROM webhook_deliveries d WHERE d.receiver = r.id AND d.dead_at IS NULL AND d.due_at <= $1) ORDER BY r.id`,
  register: `INSERT INTO webhook_receivers (id, kinds, fault) VALUES ($1, $2, '')
    ON CONFLICT (id) DO UPDATE SET kinds = excluded.kinds`,
  ids: 'SELECT id FROM webhook_receivers',
  unregister: 'DELETE FROM webhook_receivers WHERE id = $1',
  drop: 'DELETE FROM webhook_deliveries WHERE receiver = $1',
  take: skippingLocked(
    (skipLocked) => `UPDATE webhook_deliveries SET due_at = $3, attempts = attempts + 1
    WHERE (event_id, receiver) IN (${DUE} ${skipLocked}) RETURNING event_id, receiver, ${OF_EVENT}, attempts, due_at`,
  ),
  delivered: 'DELETE FROM webhook_deliveries WHERE event_id = $1 AND receiver = $2',
  postpone: `UPDATE webhook_deliveries SET due_at = $4 ${TAKEN}`,
  giveUp: `UPDATE webhook_deliveries SET dead_at = $4 ${TAKEN}`,
  noteDelivered:
    'UPDATE webhook_receivers SET delivered_at = $2 WHERE id = $1 AND coalesce(delivered_at, 0) < $2',
  noteFault: 'UPDATE webhook_receivers SET fault_at = $2, fault = $3 WHERE id = $1',
  noteGone: 'UPDATE webhook_receivers SET gone_at = $2 WHERE id = $1 AND gone_at IS NULL',
  resume: 'UPDATE webhook_receivers SET gone_at = NULL WHERE id = $1 AND gone_at IS NOT NULL',
  retryDead:
    'UPDATE webhook_deliveries SET dead_at = NULL, due_at = $2, attempts = 0 WHERE receiver = $1 AND dead_at IS NOT NULL',
  retryAll: 'UPDATE webhook_deliveries SET dead_at = NULL, due_at = $2, attempts = 0 WHERE receiver = $1',
  enqueue: `INSERT INTO webhook_deliveries (event_id, receiver, ${OF_EVENT}, due_at, attempts)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0)
    ON CONFLICT (event_id, receiver) DO UPDATE SET dead_at = NULL, due_at = excluded.due_at, attempts = 0`,
  sweep: skippingLocked(
    (skipLocked) => `DELETE FROM webhook_deliveries WHERE (event_id, receiver) IN
    (SELECT event_id, receiver FROM webhook_deliveries WHERE at < $1 ORDER BY at LIMIT $2 ${skipLocked})`,
  ),
});

/** The kinds of a receiver as one text, in which the triggers look for ` KIND `. */
const kindsText = ({ kinds }: WebhookReceiver) => (kinds.length === 0 ? '' : ` ${kinds.join(' ')} `);

const kindsOf = (text: string): EventKind[] => text.split(' ').filter(isEventKind);

function toWebhookState(row: SqlRow): WebhookState {
  const at = row.fault_at as number | null;
  return {
    id: row.id as string,
    kinds: kindsOf(row.kinds as string),
    goneAt: (row.gone_at as number | null) ?? undefined,
    deliveredAt: (row.delivered_at as number | null) ?? undefined,
    lastFault: at === null ? undefined : { at, why: row.fault as string },
    waiting: row.waiting as number,
    oldestAt: (row.oldest_at as number | null) ?? undefined,
    dead: row.dead as number,
  };
}

function toTakenDelivery(row: SqlRow): TakenDelivery {
  const { digest, ...event } = toEvent({ ...row, id: row.event_id, user_name: row.about });
  return {
    receiver: row.receiver as string,
    event,
    attempt: row.attempts as number,
    takenUntil: row.due_at as number,
  };
}

/** The values that identify a delivery while it is taken. */
const takenValues = ({ event, receiver, takenUntil }: TakenDelivery) =>
  [event.id, receiver, takenUntil] as const;

/** The values of a delivery that is added. */
function enqueueValues(receiver: string, event: DeliveredEvent, now: number): (string | number)[] {
  const { id, at, kind, user = '', actor = '', from = '', program = '', reason = '', count } = event;
  return [id, receiver, at, kind, user, actor, from, program, reason, count, now];
}

const read = (db: Reading): WebhooksRead => ({
  list: async () => (await db.rows(SQL.list)).map(toWebhookState),
  due: async (now) => (await db.rows(SQL.due, now)).map(({ id }) => id as string),
});

/** The outbox: deliveries that wait. Triggers add a delivery in the transaction of its event. */
export const webhooksTable: UnitTable = {
  member: 'webhooks',
  read,
  write: (db): Webhooks => ({
    ...read(db),
    async setReceivers(receivers) {
      for (const { id } of await db.rows(SQL.ids))
        if (!receivers.some((each) => each.id === id)) {
          await db.send(SQL.unregister, id as string);
          await db.send(SQL.drop, id as string);
        }
      for (const receiver of receivers) await db.send(SQL.register, receiver.id, kindsText(receiver));
    },
    take: async (receiver, now, until, limit) =>
      (await db.rows(SQL.take, receiver, now, until, limit)).map(toTakenDelivery),
    delivered: ({ event, receiver }) => db.send(SQL.delivered, event.id, receiver),
    postpone: (taken, dueAt) => db.send(SQL.postpone, ...takenValues(taken), dueAt),
    giveUp: (taken, now) => db.send(SQL.giveUp, ...takenValues(taken), now),
    noteDelivered: (receiver, now) => db.send(SQL.noteDelivered, receiver, now),
    noteFault: (receiver, now, why) => db.send(SQL.noteFault, receiver, now, why),
    noteGone: (receiver, now) => db.send(SQL.noteGone, receiver, now),
    resume: (receiver) => db.send(SQL.resume, receiver),
    retry: (receiver, which, now) =>
      db.change(which === 'dead' ? SQL.retryDead : SQL.retryAll, receiver, now),
    async enqueue(receiver, events, now) {
      for (const event of events) await db.send(SQL.enqueue, ...enqueueValues(receiver, event, now));
    },
    sweep: (at, limit) => db.change(SQL.sweep, at, limit),
  }),
};
