import {
  type DeliveredEvent,
  MOST_COUNTED,
  type TakenDelivery,
  type Webhooks,
} from '../../../src/capabilities/webhooks/tables/webhooks.ts';
import type { EventKind, RecordedEvent } from '../../../src/core/domain/event.ts';
import { byCodePoints, every, one, type Sight, type Tables } from './tables.ts';

/** A receiver, as the memory engine keeps it. */
export interface KeptReceiver {
  readonly id: string;
  readonly kinds: readonly EventKind[];
  readonly goneAt: number | undefined;
  readonly deliveredAt: number | undefined;
  readonly lastFault: { readonly at: number; readonly why: string } | undefined;
}

/** A delivery, as the memory engine keeps it. */
export interface KeptDelivery {
  readonly receiver: string;
  readonly event: DeliveredEvent;
  readonly dueAt: number;
  readonly attempts: number;
  readonly deadAt: number | undefined;
}

const keyOf = (receiver: string, { id }: DeliveredEvent) => `${id} ${receiver}`;

/** Adds a delivery of a new event for each receiver of its kind. */
export function addDeliveries(tables: Tables, recorded: RecordedEvent, minute: number | undefined): void {
  const { digest, ...event } = recorded;
  const dueAt = minute === undefined ? event.at : minute * 60_000 + 75_000;
  for (const { id, kinds, goneAt } of tables.receivers.all())
    if (goneAt === undefined && (kinds.length === 0 || kinds.includes(event.kind)))
      tables.deliveries.set(keyOf(id, event), { receiver: id, event, dueAt, attempts: 0, deadAt: undefined });
}

/** Gives the deliveries of an event the count and the program that it has now. */
export function followCount(tables: Tables, { id, count, program }: RecordedEvent): void {
  for (const delivery of tables.deliveries.all())
    if (delivery.event.id === id)
      tables.deliveries.set(keyOf(delivery.receiver, delivery.event), {
        ...delivery,
        event: { ...delivery.event, count, program },
      });
}

/** The outbox of the memory engine. */
export function webhooksIn(tables: Tables, sight: Sight): Webhooks {
  const deliveriesOf = (receiver: string) =>
    every(tables.deliveries, sight).filter((each) => each.receiver === receiver);
  const put = (delivery: KeptDelivery) =>
    tables.deliveries.set(keyOf(delivery.receiver, delivery.event), delivery);
  const changeTaken = ({ receiver, event, takenUntil }: TakenDelivery, change: Partial<KeptDelivery>) => {
    const kept = one(tables.deliveries, keyOf(receiver, event), sight);
    if (kept?.dueAt === takenUntil && kept.deadAt === undefined) put({ ...kept, ...change });
  };
  const change = (id: string, changed: Partial<KeptReceiver>) => {
    const kept = one(tables.receivers, id, sight);
    if (kept !== undefined) tables.receivers.set(id, { ...kept, ...changed });
  };
  const isDue = ({ deadAt, dueAt }: KeptDelivery, now: number) => deadAt === undefined && dueAt <= now;
  return {
    async list() {
      const all = every(tables.receivers, sight).sort((a, b) => byCodePoints(a.id, b.id));
      return all.map((receiver) => {
        const own = deliveriesOf(receiver.id);
        const waiting = own.filter(({ deadAt }) => deadAt === undefined);
        const oldestAt = waiting.length > 0 ? Math.min(...waiting.map(({ event }) => event.at)) : undefined;
        const [count, dead] = [waiting.length, own.length - waiting.length].map((n) =>
          Math.min(n, MOST_COUNTED),
        );
        return { ...receiver, waiting: count as number, oldestAt, dead: dead as number };
      });
    },
    due: async (now) =>
      every(tables.receivers, sight)
        .filter(({ id, goneAt }) => goneAt === undefined && deliveriesOf(id).some((each) => isDue(each, now)))
        .map(({ id }) => id)
        .sort(byCodePoints),
    async setReceivers(receivers) {
      for (const { id } of tables.receivers.all()) {
        if (receivers.some((each) => each.id === id)) continue;
        for (const { event } of deliveriesOf(id)) tables.deliveries.delete(keyOf(id, event));
        tables.receivers.delete(id);
      }
      for (const { id, kinds } of receivers) {
        const { goneAt, deliveredAt, lastFault } = tables.receivers.get(id) ?? {};
        tables.receivers.set(id, { id, kinds, goneAt, deliveredAt, lastFault });
      }
    },
    async take(receiver, now, until, limit) {
      const kept = one(tables.receivers, receiver, sight);
      const isTaking = kept !== undefined && kept.goneAt === undefined;
      const due = isTaking ? deliveriesOf(receiver).filter((each) => isDue(each, now)) : [];
      return due
        .sort((a, b) => a.dueAt - b.dueAt)
        .slice(0, limit)
        .map(({ event, attempts, deadAt }) => {
          put({ receiver, event, attempts: attempts + 1, dueAt: until, deadAt });
          return { receiver, event, attempt: attempts + 1, takenUntil: until };
        });
    },
    async delivered({ receiver, event }) {
      tables.deliveries.delete(keyOf(receiver, event));
    },
    postpone: async (taken, dueAt) => changeTaken(taken, { dueAt }),
    giveUp: async (taken, deadAt) => changeTaken(taken, { deadAt }),
    async noteDelivered(id, deliveredAt) {
      if ((one(tables.receivers, id, sight)?.deliveredAt ?? 0) < deliveredAt) change(id, { deliveredAt });
    },
    noteFault: async (id, at, why) => change(id, { lastFault: { at, why } }),
    async noteGone(id, at) {
      if (one(tables.receivers, id, sight)?.goneAt === undefined) change(id, { goneAt: at });
    },
    resume: async (id) => change(id, { goneAt: undefined }),
    async retry(receiver, which, now) {
      const wanted = deliveriesOf(receiver).filter(({ deadAt }) => which === 'all' || deadAt !== undefined);
      for (const each of wanted) put({ ...each, deadAt: undefined, dueAt: now, attempts: 0 });
      return wanted.length;
    },
    async enqueue(receiver, events, now) {
      for (const event of events) put({ receiver, event, dueAt: now, attempts: 0, deadAt: undefined });
    },
    async sweep(at, limit) {
      const old = tables.deliveries.all().filter(({ event }) => event.at < at);
      for (const { receiver, event } of old.slice(0, limit)) tables.deliveries.delete(keyOf(receiver, event));
      return Math.min(old.length, limit);
    },
  };
}
