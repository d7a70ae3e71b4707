import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../../engines/sqlite/prepare.ts';
import type { Webhooks } from '../webhooks.ts';
import {
  enqueueValues,
  kindsText,
  takenValues,
  toTakenDelivery,
  toWebhookState,
  webhookStatements,
} from '../webhooks-sql.ts';

const STATEMENTS = webhookStatements('');

/** The outbox, over one connection. */
export function webhooksOn(db: DatabaseSync): Webhooks {
  let statements: ReturnType<typeof prepared<keyof typeof STATEMENTS>> | undefined;
  // At the first use: a store without receivers needs none of them.
  const sql = () => {
    statements ??= prepared(db, STATEMENTS);
    return statements;
  };
  return {
    list: async () => sql().list.all().map(toWebhookState),
    due: async (now) =>
      sql()
        .due.all(now)
        .map(({ id }) => id as string),
    async setReceivers(receivers) {
      for (const { id } of sql().ids.all())
        if (!receivers.some((each) => each.id === id)) {
          sql().unregister.run(id as string);
          sql().drop.run(id as string);
        }
      for (const receiver of receivers) sql().register.run(receiver.id, kindsText(receiver));
    },
    take: async (receiver, now, until, limit) =>
      sql().take.all(receiver, now, until, limit).map(toTakenDelivery),
    async delivered({ event, receiver }) {
      sql().delivered.run(event.id, receiver);
    },
    async postpone(taken, dueAt) {
      sql().postpone.run(...takenValues(taken), dueAt);
    },
    async giveUp(taken, now) {
      sql().giveUp.run(...takenValues(taken), now);
    },
    async noteFault(receiver, now, why) {
      sql().noteFault.run(receiver, now, why);
    },
    async noteGone(receiver, now) {
      sql().noteGone.run(receiver, now);
    },
    async resume(receiver) {
      sql().resume.run(receiver);
    },
    retry: async (receiver, which, now) =>
      Number((which === 'dead' ? sql().retryDead : sql().retryAll).run(receiver, now).changes),
    async enqueue(receiver, events, now) {
      for (const event of events) sql().enqueue.run(...enqueueValues(receiver, event, now));
    },
    sweep: async (at, limit) => Number(sql().sweep.run(at, limit).changes),
  };
}
