import { setTimeout as pause } from 'node:timers/promises';
import { DocumentKeeper } from '../../core/documents/document-keeper.ts';
import type { EventReceiver } from '../capability.ts';
import { loadReceivers, type ReceiverConfiguration } from './load.ts';
import { type QueueParts, ReceiverQueue } from './receiver-queue.ts';
import type { WebhookReceiver, WebhookState } from './tables/webhooks.ts';

/** The figures of one receiver, for metrics. */
export interface ReceiverCounts extends Pick<WebhookState, 'id' | 'waiting' | 'dead'> {
  readonly delivered: number;
  readonly failed: number;
  /** The age of the oldest event that waits, in seconds; 0 if none waits. */
  readonly oldest: number;
}

/** Milliseconds between two looks for due deliveries. */
const LOOK_EVERY = 500;
/** Milliseconds between two counts of waiting deliveries: a count reads all of them. */
const COUNT_EVERY = 15_000;

/** Delivers events to parts of the service, and to the receivers that a document names. That is loaded again when it changes. */
export class WebhookDelivery {
  readonly #parts: QueueParts;
  /** Undefined without a document. */
  readonly #keeper: DocumentKeeper<readonly ReceiverConfiguration[]> | undefined;
  readonly #own: readonly EventReceiver[];
  readonly #stopping = new AbortController();
  #queues = new Map<string, ReceiverQueue>();
  #states: readonly WebhookState[] = [];
  #countedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  /** Changes of the receivers, one after another. */
  #registering: Promise<void> = Promise.resolve();

  /** Throws `DocumentsFaulty`. */
  constructor(file: string, own: readonly EventReceiver[], parts: QueueParts) {
    this.#parts = parts;
    this.#own = own;
    if (file === '') return;
    const { log } = parts;
    this.#keeper = new DocumentKeeper(file, () => loadReceivers(file), {
      onLoaded: (receivers) => {
        log.info({ receivers: receivers.length }, 'webhooks loaded');
        this.#registering = this.#registering.then(() => this.register()).catch(parts.onFault);
      },
      onFault: (fault) =>
        log.error({ err: fault }, 'document of webhooks faulty: the last good one stays in force'),
    });
  }

  /** Makes the receivers of the document those of the store: from then on events are kept for them. */
  async register(): Promise<void> {
    const receivers = [...this.#own, ...(this.#keeper?.current ?? [])];
    await registerReceivers(this.#parts, receivers);
    const before = this.#queues;
    this.#queues = new Map(receivers.map((each) => [each.id, new ReceiverQueue(each, this.#parts)]));
    for (const [id, { delivered, failed }] of before) {
      const queue = this.#queues.get(id);
      if (queue !== undefined) Object.assign(queue, { delivered, failed });
    }
    await Promise.all([...before.values()].map((queue) => queue.stop()));
  }

  /** Delivers from now on, until `stop`. */
  start(): void {
    this.#looking ??= this.#look();
  }

  reload(): void {
    this.#keeper?.reload();
  }

  /** Stops watching the document. */
  close(): void {
    this.#keeper?.close();
  }

  /** Gives back the deliveries on their way. Another process, or the next start, makes them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#looking, this.#registering]);
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  /** The counts of this process, and the last count of waiting deliveries in the store. */
  counts(): readonly ReceiverCounts[] {
    const now = this.#parts.clock();
    return [...this.#queues].map(([id, { delivered, failed }]) => {
      const { waiting = 0, dead = 0, oldestAt } = this.#states.find((each) => each.id === id) ?? {};
      const oldest = oldestAt === undefined ? 0 : Math.max(0, (now - oldestAt) / 1_000);
      return { id, waiting, dead, delivered, failed, oldest };
    });
  }

  async #look(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#wakeDue().catch(this.#parts.onFault);
      await pause(LOOK_EVERY, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #wakeDue(): Promise<void> {
    const { store, clock } = this.#parts;
    const due = await store.read(({ webhooks }) => webhooks.due(clock()));
    for (const id of due) this.#queues.get(id)?.wake();
    const now = performance.now();
    if (now - this.#countedAt < COUNT_EVERY) return;
    this.#countedAt = now;
    this.#states = await store.read(({ webhooks }) => webhooks.list());
  }
}

/** Makes these the receivers of the store, unless they are already. Logs which ones it removes. */
export async function registerReceivers(
  { store, log }: Pick<QueueParts, 'store' | 'log'>,
  receivers: readonly WebhookReceiver[],
): Promise<void> {
  const there = await store.read(({ webhooks }) => webhooks.list());
  const filters = receivers.map(({ id, kinds }) => ({ id, kinds }));
  const textOf = (all: readonly { id: string; kinds: readonly string[] }[]) =>
    JSON.stringify(all.map(({ id, kinds }) => [id, [...kinds].sort()]).sort());
  if (textOf(there) === textOf(filters)) return;
  for (const { id, waiting } of there)
    if (!filters.some((each) => each.id === id))
      log.warn({ receiver: id, waiting }, 'receiver of webhooks removed: the document does not name it');
  await store.write(({ webhooks }) => webhooks.setReceivers(filters));
}
