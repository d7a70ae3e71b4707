import type { Webhooks, WebhooksRead } from '../webhooks.ts';
import {
  enqueueValues,
  kindsText,
  takenValues,
  toTakenDelivery,
  toWebhookState,
  webhookStatements,
} from '../webhooks-sql.ts';
import { type Reading, statements, type Writing } from './statement.ts';

const SQL = statements('webhooks', webhookStatements('FOR UPDATE SKIP LOCKED'));

/** The outbox, in read units. */
export function webhooksRead(db: Reading): WebhooksRead {
  return {
    list: async () => (await db.rows(SQL.list)).map(toWebhookState),
    due: async (now) => (await db.rows(SQL.due, now)).map(({ id }) => id as string),
  };
}

/** The outbox, in one write unit. */
export function webhooksIn(db: Writing): Webhooks {
  return {
    ...webhooksRead(db),
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
    noteFault: (receiver, now, why) => db.send(SQL.noteFault, receiver, now, why),
    noteGone: (receiver, now) => db.send(SQL.noteGone, receiver, now),
    resume: (receiver) => db.send(SQL.resume, receiver),
    retry: (receiver, which, now) =>
      db.change(which === 'dead' ? SQL.retryDead : SQL.retryAll, receiver, now),
    async enqueue(receiver, events, now) {
      for (const event of events) await db.send(SQL.enqueue, ...enqueueValues(receiver, event, now));
    },
    sweep: (at, limit) => db.change(SQL.sweep, at, limit),
  };
}
