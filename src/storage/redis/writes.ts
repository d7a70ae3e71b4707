import { setImmediate as turn } from 'node:timers/promises';
import type { Host } from '../host.ts';
import { StoreUnavailable } from '../store.ts';
import type { RedisReply, Words } from './connection.ts';
import { ReconnectingConnection } from './line.ts';
import type { OwnedTarget } from './target.ts';

/** Writes that share one wait at most. */
const MOST = 1_000;

interface PendingWrite {
  readonly words: Words;
  readonly taking: boolean;
  readonly done: (reply: RedisReply) => void;
  readonly fail: (error: unknown) => void;
}

/** Tells how many replicas a master has that keep up, once others confirm that it is the master. */
export type CountReplicas = () => Promise<number>;

/**
 * Writes to one master that are acknowledged by replicas before anybody is answered. `WAIT` blocks its connection,
 * so they have one of their own; those that are asked for while others wait share the next wait.
 */
export class Writes {
  readonly #line: ReconnectingConnection;
  readonly #target: OwnedTarget;
  readonly #countReplicas: CountReplicas;
  #asked: PendingWrite[] = [];
  #writing = false;
  /** How many replicas the master has, and when that was learnt; counted again while it is too few. */
  #replicas: { readonly count: number; readonly at: number } | undefined;
  #counting: Promise<number> | undefined;

  constructor(host: Host, target: OwnedTarget, countReplicas: CountReplicas) {
    this.#line = new ReconnectingConnection(host, target, target.commandDeadline + target.replicaDeadline);
    this.#target = target;
    this.#countReplicas = countReplicas;
  }

  /**
   * The answer to a command, once replicas have it too. Commands are done in the order in which they are asked for. A
   * master that is `taking` over the slot of this one is told that we know.
   */
  write(words: Words, taking = false): Promise<RedisReply> {
    return new Promise((done, fail) => {
      this.#asked.push({ words, taking, done, fail });
      if (!this.#writing) void this.#writeOn();
    });
  }

  close(): void {
    this.#line.close();
  }

  async #writeOn(): Promise<void> {
    this.#writing = true;
    // What is asked for in this turn of the event loop shares the wait, whichever callback of it asks.
    await turn();
    while (this.#asked.length > 0) {
      const batch = this.#asked.splice(0, MOST);
      await this.#writeTogether(batch).catch((error: unknown) => {
        for (const { fail } of batch) fail(error);
      });
    }
    this.#writing = false;
  }

  async #writeTogether(batch: readonly PendingWrite[]): Promise<void> {
    const connection = await this.#line.get();
    const wanted = await this.#wanted();
    const answers = Promise.allSettled(batch.map(({ words, taking }) => connection.send(words, { taking })));
    const waited =
      wanted > 0 ? connection.send(['WAIT', String(wanted), String(this.#target.replicaDeadline)]) : 0;
    const [outcomes, acknowledged] = await Promise.all([answers, Promise.resolve(waited).catch(() => 0)]);
    const written = outcomes.some(({ status }) => status === 'fulfilled');
    const fault =
      written && (acknowledged as number) < wanted ? await this.#whyNot(acknowledged as number) : undefined;
    for (const [place, { done, fail }] of batch.entries()) {
      const outcome = outcomes[place] as PromiseSettledResult<RedisReply>;
      if (outcome.status === 'rejected') fail(outcome.reason);
      else if (fault !== undefined) fail(fault);
      else done(outcome.value);
    }
  }

  /** How many replicas have to have a write: a shard that has just failed over serves alone until one is back. */
  async #wanted(): Promise<number> {
    const { replicas } = this.#target;
    if (replicas === 0) return 0;
    const known = this.#replicas;
    const isToBeTrusted =
      known !== undefined &&
      (known.count >= replicas || performance.now() - known.at <= this.#target.commandDeadline);
    return Math.min(replicas, isToBeTrusted ? known.count : await this.#count());
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

  /** Why what too few replicas have is not acknowledged; nothing when the master turns out to have no more of them. */
  async #whyNot(acknowledged: number): Promise<StoreUnavailable | undefined> {
    try {
      // What was counted before the write says nothing of it.
      await this.#counting?.catch(() => undefined);
      if (acknowledged >= Math.min(await this.#count(), this.#target.replicas)) return undefined;
      return new StoreUnavailable(`too few Redis replicas have acknowledged a write (${acknowledged})`);
    } catch (cause) {
      return new StoreUnavailable('whether a Redis write is safe is not known', { cause });
    }
  }
}
