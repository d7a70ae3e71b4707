import { blockOf, SITE } from '../domain/address-block.ts';
import { LONGEST_WAIT } from '../domain/lockout.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Store, StoredThrottleState } from '../storage/store.ts';
import { QueueTimeout, type Quota, RoundRobin, SharedRoom } from './concurrency-limiter.ts';
import { AddressQueueFull } from './hash-queue.ts';
import {
  type Attempt,
  type AttemptLimit,
  limitsOf,
  type Rules,
  readThrottleState,
  refusedUnhashed,
  type ThrottleState,
  type UnhashedRefusal,
} from './throttle-state.ts';

/** How many attempts wait at most: in all; and of one name, address and network (an IPv6 /48 or an IPv4 /24) while few wait. */
const MOST_WAITING = 1_000;
const MOST_OF_NAME = 200;
const MOST_OF_ADDRESS = 128;
const MOST_OF_NETWORK = 200;
/** How many unwritten failures stay in flight at most: pushing one out costs an attacker a hash. */
const MOST_UNWRITTEN = 10_000;
/** The counts of ended attempts: one for each value of three hex digits. */
const END_COUNTS = 4_096;

const endCountOf = (key: string) => Number.parseInt(key.slice(0, 3), 16);

/** Adds to the count of a key. A count of 0 is removed, and none is ever negative: that would admit an attempt too many. */
function add(counts: Map<string, number>, key: string, more: number): void {
  const sum = (counts.get(key) ?? 0) + more;
  if (sum <= 0) counts.delete(key);
  else counts.set(key, sum);
}

/**
 * Limits the attempts in flight in this process. An attempt counts as a failure from its start until it succeeds: as many
 * are in flight under a key as failures are left before its threshold, and further ones wait until one of them ends. So
 * parallel wrong passwords cannot exceed the threshold, and parallel right ones are not refused. A failure that could not
 * be written to the store goes on counting here.
 */
export class InFlightAttempts {
  readonly #inFlight = new Map<string, number>();
  /** Continues the attempts that wait under a key: in a round robin over networks, then addresses. */
  readonly #waiting = new Map<string, RoundRobin<() => void>>();
  readonly #room = new SharedRoom(MOST_WAITING);
  /** Releases the keys of each unwritten failure, the oldest first. */
  readonly #unwritten = new Set<() => void>();
  /** How many unwritten failures there are under each key. */
  readonly #unwrittenUnder = new Map<string, number>();
  readonly #ended = new Uint32Array(END_COUNTS);

  /**
   * A number that rises whenever an attempt ends under one of these keys. If it rose, counters that were read before are
   * stale. It may also rise for other keys, because keys share counts.
   */
  endedUnder(keys: readonly string[]): number {
    return keys.reduce((sum, key) => sum + (this.#ended[endCountOf(key)] as number), 0);
  }

  /**
   * Takes a slot under every key. If a key has no free slot, takes none and returns that key. Throws {@link QueueTimeout}
   * if unwritten failures take all slots of that key: no attempt in flight will free one.
   */
  tryAcquire(limits: readonly AttemptLimit[]): string | undefined {
    const full = limits.find(({ key, most }) => (this.#inFlight.get(key) ?? 0) >= most);
    if (full !== undefined && (this.#unwrittenUnder.get(full.key) ?? 0) >= full.most)
      throw new QueueTimeout('failures that could not be written leave no room for another');
    if (full !== undefined) return full.key;
    for (const { key } of limits) add(this.#inFlight, key, 1);
    return undefined;
  }

  /** Frees the slots of an attempt once its failure is written or its success is known, and continues a waiting one for each key. */
  release(keys: readonly string[]): void {
    for (const key of keys) {
      add(this.#inFlight, key, -1);
      this.#ended[endCountOf(key)] = (this.#ended[endCountOf(key)] as number) + 1;
    }
    for (const key of keys) this.notify(key);
  }

  /**
   * Takes a slot under every key, free or not, for a failure that could not be written. The slots are freed after
   * {@link LONGEST_WAIT}, or earlier when there are too many such failures.
   */
  retain(keys: readonly string[]): void {
    for (const key of keys) for (const counts of [this.#inFlight, this.#unwrittenUnder]) add(counts, key, 1);
    const releaseAll = () => {
      clearTimeout(due);
      this.#unwritten.delete(releaseAll);
      for (const key of keys) add(this.#unwrittenUnder, key, -1);
      this.release(keys);
    };
    const due = setTimeout(releaseAll, LONGEST_WAIT).unref();
    this.#unwritten.add(releaseAll);
    const [oldest] = this.#unwritten;
    if (this.#unwritten.size > MOST_UNWRITTEN) oldest?.();
  }

  /** Whether there is an unwritten failure under this key. */
  hasUnwritten(key: string): boolean {
    return this.#unwrittenUnder.has(key);
  }

  /** Continues one attempt that waits under the key. That attempt calls this again, unless it waits again under the same key. */
  notify(key: string | undefined): void {
    if (key === undefined) return;
    this.#waiting.get(key)?.next()?.();
  }

  /**
   * Resolves when it is the turn of this attempt to go on, after another one under the key ended. Rejects with
   * {@link QueueTimeout} after `deadline` milliseconds, or at once if too many wait.
   */
  wait(
    key: string,
    { key: name, address }: Pick<Attempt, 'key' | 'address'>,
    deadline: number,
  ): Promise<void> {
    const network = blockOf(address, SITE);
    const quotas: Quota[] = [
      { key: `name ${name}`, most: MOST_OF_NAME },
      { key: `address ${address}`, most: MOST_OF_ADDRESS },
      { key: `network ${network}`, most: MOST_OF_NETWORK },
    ];
    if (this.#room.full || this.#room.usedUp(quotas) !== undefined)
      return Promise.reject(new QueueTimeout('too many tries are held behind others'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(key) ?? new RoundRobin();
    const end = () => {
      clearTimeout(timer);
      waiting.remove(network, address, goOn);
      if (waiting.groups === 0) this.#waiting.delete(key);
      this.#room.release(quotas);
    };
    const goOn = () => {
      end();
      resolve();
    };
    const timer = setTimeout(() => {
      end();
      reject(new QueueTimeout('held behind other tries past the deadline'));
    }, deadline);
    waiting.add(network, address, goOn);
    this.#waiting.set(key, waiting);
    this.#room.acquire(quotas);
    return promise;
  }
}

/** A throttle state, and the number of ended attempts (`endedUnder`) from before it was read. */
interface FreshState {
  readonly state: ThrottleState;
  readonly ended: number;
}

/** Throws {@link QueueTimeout} once an attempt has waited past its deadline, be it for others or for the store. */
function refuseIfLate({ giveUpAt }: Attempt): void {
  if (performance.now() > giveUpAt) throw new QueueTimeout('held behind other tries past the deadline');
}

/** The decision about an attempt, and the state that it is based on. */
interface AdmissionDecision {
  readonly state: ThrottleState;
  /** Why the attempt is refused without hashing; undefined if it may go on. */
  readonly refused?: UnhashedRefusal | undefined;
  /** Whether the attempt goes on without a hash, and so without being in flight. */
  readonly cached?: boolean;
}

interface AdmissionParts {
  readonly store: Store;
  readonly rules: Rules;
  readonly clock: () => number;
}

/** Decides which attempts may go on, and when. */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #inFlight = new InFlightAttempts();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Reads the throttle state of an attempt, with `known` as for {@link readThrottleState}. */
  async read(attempt: Attempt, before?: StoredThrottleState): Promise<FreshState> {
    const ended = this.#inFlight.endedUnder(Object.values(attempt.keys));
    const state = await this.#parts.store.read((unit) =>
      readThrottleState(unit, attempt, this.#parts.clock(), before),
    );
    // An unwritten failure makes the address unfamiliar, as a written one does in the store.
    const familiarSince = this.#inFlight.hasUnwritten(attempt.keys.pair) ? undefined : state.familiarSince;
    return { state: { ...state, familiarSince }, ended };
  }

  /**
   * Waits until an attempt is refused, or is in flight with a slot under each of its keys: then call {@link end} when its
   * outcome is known. An attempt whose credential `isCached` goes on without slots. Throws {@link QueueTimeout} at `giveUpAt`.
   */
  async decide(
    attempt: Attempt,
    first: FreshState,
    isCached: (state: ThrottleState) => boolean,
  ): Promise<AdmissionDecision> {
    const { rules } = this.#parts;
    let continuedUnder: string | undefined;
    try {
      for (let fresh = first; ; fresh = await this.#readAgain(attempt, fresh)) {
        const { state, ended } = fresh;
        const refused = refusedUnhashed(state, rules);
        if (refused) return { state, refused };
        if (isCached(state)) return { state, cached: true };
        // Another attempt ended meanwhile, so the counters are stale.
        if (ended !== this.#inFlight.endedUnder(Object.values(attempt.keys))) continue;
        refuseIfLate(attempt);
        const full = this.#inFlight.tryAcquire(limitsOf(state, attempt, rules));
        if (full === undefined) return { state };
        if (continuedUnder !== full) this.#inFlight.notify(continuedUnder);
        continuedUnder = undefined;
        await this.#inFlight.wait(full, attempt, Math.max(0, attempt.giveUpAt - performance.now()));
        continuedUnder = full;
      }
    } finally {
      // More slots may be free, or no attempt needs to wait any longer.
      this.#inFlight.notify(continuedUnder);
    }
  }

  #readAgain(attempt: Attempt, { state }: FreshState): Promise<FreshState> {
    refuseIfLate(attempt);
    return this.read(attempt, state.stored);
  }

  /** Frees the slots of an attempt in flight, once its failure is written or its success is known. */
  end({ keys }: Attempt): void {
    this.#inFlight.release(Object.values(keys));
  }

  /** Goes on counting a failure that could not be written. */
  retainFailure({ keys }: Attempt): void {
    this.#inFlight.retain(Object.values(keys));
  }
}

/**
 * The result of this work, or the refusal of an attempt whose turn does not come in time. `onAddressFull` is called if its
 * address has too many logins waiting.
 */
export async function inTime<T>(
  attempt: Attempt,
  onAddressFull: (attempt: Attempt) => void,
  work: () => Promise<T>,
): Promise<T | Refusal<'hash_queue_full'>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QueueTimeout)) throw error;
    if (error instanceof AddressQueueFull) onAddressFull(attempt);
    return refuse('hash_queue_full', { retryAfter: 2, reason: error.message });
  }
}
