import type { EventKind, RecordedEvent } from '../../../core/domain/event.ts';

/** A receiver of webhooks, as every writer of events knows it. Its address and its secrets are not in the store. */
export interface WebhookReceiver {
  readonly id: string;
  /** The kinds of events that it gets; none: all kinds. */
  readonly kinds: readonly EventKind[];
}

/**
 * How many deliveries of a receiver are counted. Millions wait behind a receiver that is down for days, and while the embedded
 * store counts, its service answers no request.
 */
export const MOST_COUNTED = 10_000;

/** A receiver, and how far it is behind. Times are epoch milliseconds. */
export interface WebhookState extends WebhookReceiver {
  /** When it answered 410. From then on it gets no events, until {@link Webhooks.resume}. */
  readonly goneAt: number | undefined;
  /** When it last took an event, as noted. */
  readonly deliveredAt: number | undefined;
  readonly lastFault: { readonly at: number; readonly why: string } | undefined;
  /** Deliveries that are not made yet: {@link MOST_COUNTED} at most. */
  readonly waiting: number;
  /** When the oldest of their events happened. */
  readonly oldestAt: number | undefined;
  /** Deliveries that were given up: {@link MOST_COUNTED} at most. */
  readonly dead: number;
}

/** Milliseconds that an event may wait. The alert about webhooks waits as long. */
const LATE = 15 * 60_000;

/** Whether events wait because the receiver refused the last message, or because the service has sent none for too long. */
export function isBehind({ waiting, oldestAt = 0, lastFault, deliveredAt = 0 }: WebhookState): boolean {
  const isRefused = lastFault !== undefined && lastFault.at >= deliveredAt;
  return waiting > 0 && (isRefused || Date.now() - oldestAt > LATE);
}

/** An event to deliver, without the digest of its ticket. */
export type DeliveredEvent = Omit<RecordedEvent, 'digest'>;

/** A delivery that one process has taken. Another process may take it once `takenUntil` is over. */
export interface TakenDelivery {
  readonly receiver: string;
  readonly event: DeliveredEvent;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** Epoch milliseconds. */
  readonly takenUntil: number;
}

export interface WebhooksRead {
  /** Sorted by id. */
  list(): Promise<WebhookState[]>;
  /** The ids of receivers that a delivery is due for. Receivers that are gone are left out. */
  due(now: number): Promise<string[]>;
}

/**
 * The outbox of events. Each event adds a delivery for each receiver of its kind, in the same transaction and the same part of
 * it (`aside`), whichever version or command writes it. A tally is due once its minute has ended and its writers had time to
 * write their counts; until then its delivery follows the count.
 */
export interface Webhooks extends WebhooksRead {
  /** Makes these all receivers there are. The deliveries of others are removed. */
  setReceivers(receivers: readonly WebhookReceiver[]): Promise<void>;
  /** Takes up to `limit` due deliveries, the longest due first; none if the receiver is gone. Two processes never take the same one at once. */
  take(receiver: string, now: number, until: number, limit: number): Promise<TakenDelivery[]>;
  /** Removes a delivery that was made. */
  delivered(taken: TakenDelivery): Promise<void>;
  /** Makes a delivery due again at `dueAt`, if no other process took it meanwhile. */
  postpone(taken: TakenDelivery, dueAt: number): Promise<void>;
  /** Gives a delivery up, if no other process took it meanwhile. It is kept as long as its event. */
  giveUp(taken: TakenDelivery, now: number): Promise<void>;
  /** Notes that the receiver took an event. */
  noteDelivered(receiver: string, now: number): Promise<void>;
  /** Notes why the receiver did not take an event. */
  noteFault(receiver: string, now: number, why: string): Promise<void>;
  /** Notes that the receiver answered 410. */
  noteGone(receiver: string, now: number): Promise<void>;
  /** Has the receiver get events again, if it is gone. */
  resume(receiver: string): Promise<void>;
  /** Makes deliveries of the receiver due now and counts their attempts anew: dead ones, or all. Returns how many. */
  retry(receiver: string, which: 'dead' | 'all', now: number): Promise<number>;
  /** Adds deliveries of these events, due now. One that is there already becomes due now. */
  enqueue(receiver: string, events: readonly DeliveredEvent[], now: number): Promise<void>;
  /** Removes up to `limit` deliveries of events from before `at`; returns how many. */
  sweep(at: number, limit: number): Promise<number>;
}

declare module '../../../core/storage/store.ts' {
  interface ReadUnit {
    readonly webhooks: WebhooksRead;
  }
  interface WriteUnit {
    readonly webhooks: Webhooks;
  }
}
