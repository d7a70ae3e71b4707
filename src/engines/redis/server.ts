import { setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailable } from '../../core/storage/store.ts';
import type { Host } from '../server-url.ts';
import { ReconnectingConnection } from './reconnecting-connection.ts';
import type { RedisReply, Words } from './resp.ts';
import type { OwnedTarget } from './target.ts';
import { TrackedConnection } from './tracked-reads.ts';

/** One server of the ticket store, with connections for reads, for validations and for replicated writes. */
export class RedisServer {
  readonly host: Host;
  readonly reads: ReconnectingConnection;
  readonly validations: TrackedConnection;
  readonly writes: ReplicatedWrites;

  constructor(host: Host, target: OwnedTarget, countReplicas: CountReplicas) {
    this.host = host;
    this.reads = new ReconnectingConnection(host, target, target.commandDeadline);
    this.validations = new TrackedConnection(host, target, this.reads);
    this.writes = new ReplicatedWrites(host, target, countReplicas);
  }

  close(): void {
    this.reads.close();
    this.validations.close();
    this.writes.close();
  }
}

/** How many writes share one `WAIT` at most. */
const MOST_WRITES = 1_000;

interface PendingWrite {
  readonly words: Words;
  readonly asking: boolean;
  readonly done: (reply: RedisReply) => void;
  readonly fail: (error: unknown) => void;
}

/** Returns how many replicas a master has, once other servers confirm that it is the master. */
type CountReplicas = () => Promise<number>;

/**
 * Writes to one master, each acknowledged by replicas before it is answered. `WAIT` blocks its connection, so writes have
 * one of their own. Writes that are asked for while others wait share the next `WAIT`.
 */
class ReplicatedWrites {
  readonly #connection: ReconnectingConnection;
  readonly #target: OwnedTarget;
  readonly #countReplicas: CountReplicas;
  #pending: PendingWrite[] = [];
  #writing = false;
  /** How many replicas the master has, and when they were counted. They are counted again while there are too few. */
  #replicas: { readonly count: number; readonly at: number } | undefined;
  #counting: Promise<number> | undefined;

  constructor(host: Host, target: OwnedTarget, countReplicas: CountReplicas) {
    this.#connection = new ReconnectingConnection(
      host,
      target,
      target.commandDeadline + target.replicaDeadline,
    );
    this.#target = target;
    this.#countReplicas = countReplicas;
  }

  /**
   * The answer to a command, once replicas have it too. Commands are done in the order of their calls. With `asking` the
   * master answers while it is importing the slot.
   */
  write(words: Words, asking = false): Promise<RedisReply> {
    return new Promise((done, fail) => {
      this.#pending.push({ words, asking, done, fail });
      if (!this.#writing) void this.#writeOn();
    });
  }

  close(): void {
    this.#connection.close();
  }

  async #writeOn(): Promise<void> {
    this.#writing = true;
    // All writes of this turn of the event loop share the `WAIT`, from whichever callback they come.
    await turn();
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, MOST_WRITES);
      await this.#writeTogether(batch).catch((error: unknown) => {
        for (const { fail } of batch) fail(error);
      });
    }
    this.#writing = false;
  }

  async #writeTogether(batch: readonly PendingWrite[]): Promise<void> {
    const connection = await this.#connection.get();
    const target = await this.#wanted();
    const answers = Promise.allSettled(batch.map(({ words, asking }) => connection.send(words, { asking })));
    const waited =
      target > 0 ? connection.send(['WAIT', String(target), String(this.#target.replicaDeadline)]) : 0;
    const [outcomes, acknowledged] = await Promise.all([answers, Promise.resolve(waited).catch(() => 0)]);
    const written = outcomes.some(({ status }) => status === 'fulfilled');
    const fault =
      written && (acknowledged as number) < target
        ? await this.#whyUnsafe(acknowledged as number)
        : undefined;
    for (const [place, { done, fail }] of batch.entries()) {
      const outcome = outcomes[place] as PromiseSettledResult<RedisReply>;
      if (outcome.status === 'rejected') fail(outcome.reason);
      else if (fault !== undefined) fail(fault);
      else done(outcome.value);
    }
  }

  /** How many replicas have to acknowledge a write: after a fail-over a master serves alone until a replica is back. */
  async #wanted(): Promise<number> {
    const { replicas } = this.#target;
    if (replicas === 0) return 0;
    const cached = this.#replicas;
    const isFresh =
      cached !== undefined &&
      (cached.count >= replicas || performance.now() - cached.at <= this.#target.commandDeadline);
    return Math.min(replicas, isFresh ? cached.count : await this.#count());
  }

  #count(): Promise<number> {
    this.#counting ??= this.#countReplicas()
      .then((count) => {
        this.#replicas = { count, at: performance.now() };
        return count;
      })
      .catch((error: unknown) => {
        this.#replicas = undefined;
        throw error;
      })
      .finally(() => {
        this.#counting = undefined;
      });
    return this.#counting;
  }

  /** Returns why a write that too few replicas have fails; undefined when the master turns out to have no more replicas. */
  async #whyUnsafe(acknowledged: number): Promise<StoreUnavailable | undefined> {
    try {
      // A count that began before the write says nothing about it.
      await this.#counting?.catch(() => undefined);
      if (acknowledged >= Math.min(await this.#count(), this.#target.replicas)) return undefined;
      return new StoreUnavailable(`too few Redis replicas have acknowledged a write (${acknowledged})`);
    } catch (cause) {
      return new StoreUnavailable('whether a Redis write is safe is not known', { cause });
    }
  }
}
