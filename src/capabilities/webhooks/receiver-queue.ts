import type { Logger } from 'pino';
import type { Store, WriteUnit } from '../../core/storage/store.ts';
import type { EventReceiver, ReceivedOutcome } from '../capability.ts';
import { type WebhookAnswer, WebhookClient } from './client.ts';
import type { ReceiverConfiguration } from './load.ts';
import { eventMessage } from './message.ts';
import type { DeliveredEvent, TakenDelivery } from './tables/webhooks.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** The waits between attempts, as the schedule of Standard Webhooks has them: ten attempts in three days. */
const WAITS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** By how much of itself a wait is longer at most. Without it all messages of an outage would come again at once. */
const JITTER = 0.2;
/** The longest wait that a receiver may ask for. */
const LONGEST_ASKED = 24 * HOUR;

/**
 * Milliseconds until the next attempt, after this many; undefined after the last one. `asked` is the wait that the receiver asks
 * for. `random` is from 0 to below 1.
 */
export function waitAfter(
  attempts: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.max(Math.round(wait * (1 + JITTER * random)), Math.min(retryAfter ?? 0, LONGEST_ASKED));
}

/** After this many failures in a row nothing is sent to the receiver for a while. */
const FAILURES_IN_A_ROW = 5;
const LONGEST_PAUSE = MINUTE;
/** The longest pause that a receiver may ask for: each message waits for its own attempt besides. */
const LONGEST_ASKED_PAUSE = 10 * MINUTE;

/**
 * Milliseconds for which nothing is sent to a receiver after so many failures in a row, so that an outage does not use up the
 * attempts of each message. `asked` is the wait that the receiver asks for with 429 or 503.
 */
export function pauseAfter(failures: number, retryAfter: number | undefined): number {
  const over = failures - FAILURES_IN_A_ROW;
  const own = over < 0 ? 0 : Math.min(SECOND * 2 ** Math.min(over, 10), LONGEST_PAUSE);
  return Math.max(own, Math.min(retryAfter ?? 0, LONGEST_ASKED_PAUSE));
}

/** The parts that all queues share. */
export interface QueueParts {
  readonly store: Store;
  readonly databaseId: string;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
}

/** How many messages are on their way to one receiver at a time. */
const AT_ONCE = 8;
/** How long a delivery is taken for, beyond the deadline of its attempt, in milliseconds: the outcome has to be written. */
const TO_WRITE = 30_000;
/** How often the log tells that a receiver does not take messages, in milliseconds at least. */
const WARN_EVERY = 60_000;
/** How often it is noted that a receiver takes them, in milliseconds at least, so that most deliveries need no further write. */
const NOTE_EVERY = 60_000;

/** The outcome of one attempt. */
type AttemptOutcome = WebhookAnswer & ReceivedOutcome;

/** How one receiver gets an event. */
interface Sending {
  send(event: DeliveredEvent, stopped: AbortSignal): Promise<AttemptOutcome>;
  close(): void;
}

function sendingTo(
  receiver: ReceiverConfiguration | EventReceiver,
  { databaseId, clock }: QueueParts,
): Sending {
  if ('url' in receiver) {
    const client = new WebhookClient(receiver, AT_ONCE, clock);
    const send: Sending['send'] = (event, stopped) => client.send(eventMessage(event, databaseId), stopped);
    return { send, close: () => client.close() };
  }
  const none = { status: undefined, retryAfter: undefined };
  const outcomeOf = (outcome: string | undefined | ReceivedOutcome) =>
    typeof outcome === 'object' ? { ...none, ...outcome } : { ...none, fault: outcome };
  const send: Sending['send'] = (event, stopped) =>
    receiver.receive(event, stopped).then(outcomeOf, (error) => outcomeOf((error as Error).message));
  return { send, close: () => undefined };
}

/** Makes the due deliveries of one receiver. A slow receiver delays only its own queue. */
export class ReceiverQueue {
  /** How many attempts were taken, and how many were not. */
  delivered = 0;
  failed = 0;
  readonly #receiver: ReceiverConfiguration | EventReceiver;
  readonly #parts: QueueParts;
  readonly #sending: Sending;
  readonly #stopping = new AbortController();
  readonly #outcomes: ((unit: WriteUnit) => Promise<void>)[] = [];
  #underWay = 0;
  #taking: Promise<void> | undefined;
  /** The writes of outcomes, one after another. */
  #writing: Promise<void> = Promise.resolve();
  /** Failures since the last message that was taken. */
  #failures = 0;
  #pausedUntil = 0;
  #notedAt = Number.NEGATIVE_INFINITY;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #idle: (() => void) | undefined;

  constructor(receiver: ReceiverConfiguration | EventReceiver, parts: QueueParts) {
    this.#receiver = receiver;
    this.#parts = parts;
    this.#sending = sendingTo(receiver, parts);
  }

  /** Takes due deliveries, as far as there is room. Does nothing while the receiver is paused. */
  wake(): void {
    if (this.#stopping.signal.aborted || this.#parts.clock() < this.#pausedUntil) return;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
  }

  /** Takes no further deliveries, and gives back the ones on their way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#taking;
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
    await this.#writing;
    this.#sending.close();
  }

  async #take(): Promise<void> {
    const { store, clock, onFault } = this.#parts;
    const { id } = this.#receiver;
    const deadline = 'url' in this.#receiver ? this.#receiver.deadline : MINUTE;
    const room = AT_ONCE - this.#underWay;
    if (room <= 0) return;
    try {
      const now = clock();
      const until = now + deadline + TO_WRITE;
      const taken = await store.write(({ webhooks }) => webhooks.take(id, now, until, room));
      for (const delivery of taken) void this.#deliver(delivery);
    } catch (fault) {
      onFault(fault);
    }
  }

  async #deliver(taken: TakenDelivery): Promise<void> {
    this.#underWay += 1;
    const answer = await this.#sending.send(taken.event, this.#stopping.signal);
    this.#outcomes.push(this.#outcomeOf(taken, answer));
    // Behind a write that has begun, which may have read the outcomes already.
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#idle?.();
    this.wake();
  }

  /** Writes all outcomes. A delivery whose outcome cannot be written is made again once its time is over. */
  async #write(): Promise<void> {
    const { store, onFault } = this.#parts;
    const outcomes = this.#outcomes.splice(0);
    if (outcomes.length === 0) return;
    await store
      .write(async (unit) => {
        for (const write of outcomes) await write(unit);
      })
      .catch(onFault);
  }

  /** Counts an attempt, and returns the outcome to write. */
  #outcomeOf(taken: TakenDelivery, answer: AttemptOutcome): (unit: WriteUnit) => Promise<void> {
    const now = this.#parts.clock();
    if (answer.fault === undefined) {
      const isNoted = answer.isNothing || now - this.#notedAt < NOTE_EVERY;
      if (!answer.isNothing) {
        this.delivered += 1;
        this.#failures = 0;
      }
      if (!isNoted) this.#notedAt = now;
      return async (unit) => {
        await unit.webhooks.delivered(taken);
        if (!isNoted) await unit.webhooks.noteDelivered(taken.receiver, now);
        await answer.write?.(unit, false);
      };
    }
    if (this.#stopping.signal.aborted) return ({ webhooks }) => webhooks.postpone(taken, now);
    return this.#failureOf(taken, answer, answer.fault, now);
  }

  #failureOf(
    taken: TakenDelivery,
    { status, retryAfter, isFinal, write }: AttemptOutcome,
    fault: string,
    now: number,
  ): (unit: WriteUnit) => Promise<void> {
    const { receiver, attempt, event } = taken;
    const { log } = this.#parts;
    this.#noteFailure(fault, status === 429 || status === 503 ? retryAfter : undefined, now);
    const wait = isFinal ? undefined : waitAfter(attempt, retryAfter, Math.random());
    if (status === 410)
      log.error(
        { receiver },
        `receiver of webhooks is gone: 'tessera webhooks replay ${receiver}' resumes it`,
      );
    else if (wait === undefined)
      log.error({ receiver, event: event.id, attempt, fault }, 'delivery given up: it is kept as a dead one');
    return async (unit) => {
      const { webhooks } = unit;
      await webhooks.noteFault(receiver, now, fault);
      if (status === 410) await webhooks.noteGone(receiver, now);
      if (wait === undefined) await webhooks.giveUp(taken, now);
      else await webhooks.postpone(taken, now + wait);
      await write?.(unit, wait === undefined);
    };
  }

  #noteFailure(fault: string, retryAfter: number | undefined, now: number): void {
    this.failed += 1;
    this.#failures += 1;
    // The next success is noted, so that it stands behind this failure.
    this.#notedAt = Number.NEGATIVE_INFINITY;
    if (now - this.#warnedAt >= WARN_EVERY) {
      this.#warnedAt = now;
      this.#parts.log.warn(
        { receiver: this.#receiver.id, fault },
        'a delivery was not taken: it is tried again',
      );
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseAfter(this.#failures, retryAfter));
  }
}
