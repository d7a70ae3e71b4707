import type { Event, EventKind, RecordedEvent } from '../domain/event.ts';

/** Which events to list. */
export interface EventFilter {
  /** The user's name in any case: where names differ by case, the caller drops the other users' events. */
  readonly user?: string;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** The last event of the page before: lists what follows it, and ignores `since`. */
  readonly after?: EventPlace;
  /** The most events to list. */
  readonly limit?: number;
}

/** The position of an event in the order of time. */
export type EventPlace = Pick<RecordedEvent, 'at' | 'id'>;

/** Which events to list, the latest first. */
export interface LatestEvents {
  /** As in {@link EventFilter}. */
  readonly user?: string | undefined;
  /** One kind, or several of them. */
  readonly kind?: EventKind | readonly EventKind[] | undefined;
  /** The client address, as events know it. */
  readonly from?: string | undefined;
  /** Epoch milliseconds: from `since`, inclusive, to `until`, exclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The last event of the page before: lists what came before it. */
  readonly before?: EventPlace | undefined;
  readonly limit: number;
}

/** Spans of the same length, one behind the other. */
export interface TimeSpans {
  /** The begin of the first one, in epoch milliseconds: a whole minute. */
  readonly since: number;
  /** Their length in milliseconds: whole minutes. */
  readonly step: number;
  readonly number: number;
}

export interface EventsRead {
  /**
   * Up to `limit` events whose ids are above `after`, by ascending ids; without `after`, the event with the highest id. No event
   * with an id below the last one follows later: it ends before an id whose transaction is still open. Then there may be fewer
   * events than `limit`, or none, although more are committed.
   */
  appended(after: number | undefined, limit: number): Promise<RecordedEvent[]>;
  /** Oldest first, events of the same instant in the order of their appending. */
  list(filter: EventFilter): Promise<RecordedEvent[]>;
  /**
   * Latest first. An index finds them for every filter by user, kind and address. With both a user and an address, it looks
   * through the index entries of the user. With either, kinds that this version does not know are left out.
   */
  latest(filter: LatestEvents): Promise<RecordedEvent[]>;
  /** How many times this kind of events happened in each of the spans, in their order. Reads an index only, but for tallies. */
  counts(kind: EventKind, spans: TimeSpans): Promise<number[]>;
}

export interface Events extends EventsRead {
  /**
   * Webhooks need no further call: in a database a trigger queues each event for its receivers. After the event of the end of a ticket,
   * it appends one of each ticket that ended together with that one in this unit.
   */
  append(event: Event): Promise<void>;
  /** Adds `times` to the count of the one row with the event's kind, user, place, reason and minute. */
  tally(event: Event, times: number): Promise<void>;
  /** Removes up to `limit` events from before `at`; returns how many. */
  sweep(at: number, limit: number): Promise<number>;
}
