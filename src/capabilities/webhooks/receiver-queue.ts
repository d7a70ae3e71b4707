import type { Logger } from 'pino';
import type { Store } from '../../core/storage/store.ts';
import { type WebhookAnswer, WebhookClient } from './client.ts';
import type { ReceiverConfiguration } from './load.ts';
import { eventMessage } from './message.ts';
import { pauseAfter, waitAfter } from './retries.ts';
import type { TakenDelivery, Webhooks } from './tables/webhooks.ts';

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

/** Makes the due deliveries of one receiver. A slow receiver delays only its own queue. */
export class ReceiverQueue {
  /** How many attempts were taken, and how many were not. */
  delivered = 0;
  failed = 0;
  readonly #configuration: ReceiverConfiguration;
  readonly #parts: QueueParts;
  readonly #client: WebhookClient;
  readonly #stopping = new AbortController();
  readonly #outcomes: ((webhooks: Webhooks) => Promise<void>)[] = [];
  #underWay = 0;
  #taking: Promise<void> | undefined;
  /** The writes of outcomes, one after another. */
  #writing: Promise<void> = Promise.resolve();
  /** Failures since the last message that was taken. */
  #failures = 0;
  #pausedUntil = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #idle: (() => void) | undefined;

  constructor(configuration: ReceiverConfiguration, parts: QueueParts) {
    this.#configuration = configuration;
    this.#parts = parts;
    this.#client = new WebhookClient(configuration, AT_ONCE, parts.clock);
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
    this.#client.close();
  }

  async #take(): Promise<void> {
    const { store, clock, onFault } = this.#parts;
    const { id, deadline } = this.#configuration;
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
    const message = eventMessage(taken.event, this.#parts.databaseId);
    const answer = await this.#client.send(message, this.#stopping.signal);
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
      .write(async ({ webhooks }) => {
        for (const write of outcomes) await write(webhooks);
      })
      .catch(onFault);
  }

  /** Counts an attempt, and returns the outcome to write. */
  #outcomeOf(taken: TakenDelivery, answer: WebhookAnswer): (webhooks: Webhooks) => Promise<void> {
    const now = this.#parts.clock();
    if (answer.fault === undefined) {
      this.#noteSuccess();
      return (webhooks) => webhooks.delivered(taken);
    }
    if (this.#stopping.signal.aborted) return (webhooks) => webhooks.postpone(taken, now);
    return this.#failureOf(taken, answer, answer.fault, now);
  }

  #failureOf(
    taken: TakenDelivery,
    { status, retryAfter }: WebhookAnswer,
    fault: string,
    now: number,
  ): (webhooks: Webhooks) => Promise<void> {
    const { receiver, attempt, event } = taken;
    const { log } = this.#parts;
    this.#noteFailure(fault, status === 429 || status === 503 ? retryAfter : undefined, now);
    const wait = waitAfter(attempt, retryAfter, Math.random());
    if (status === 410)
      log.error(
        { receiver },
        `receiver of webhooks is gone: 'tessera webhooks replay ${receiver}' resumes it`,
      );
    else if (wait === undefined)
      log.error({ receiver, event: event.id, attempt, fault }, 'webhook given up: it is kept as a dead one');
    return async (webhooks) => {
      await webhooks.noteFault(receiver, now, fault);
      if (status === 410) await webhooks.noteGone(receiver, now);
      if (wait === undefined) await webhooks.giveUp(taken, now);
      else await webhooks.postpone(taken, now + wait);
    };
  }

  #noteSuccess(): void {
    this.delivered += 1;
    this.#failures = 0;
  }

  #noteFailure(fault: string, retryAfter: number | undefined, now: number): void {
    this.failed += 1;
    this.#failures += 1;
    if (now - this.#warnedAt >= WARN_EVERY) {
      this.#warnedAt = now;
      this.#parts.log.warn(
        { receiver: this.#configuration.id, fault },
        'a webhook was not taken: it is tried again',
      );
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseAfter(this.#failures, retryAfter));
  }
}
