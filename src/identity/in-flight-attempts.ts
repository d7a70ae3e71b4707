import { blockOf, SITE } from '../domain/address-block.ts';
import { LONGEST_WAIT } from '../domain/lockout.ts';
import { type Allowance, QueueTimeout, RoundRobin, SharedRoom } from './concurrency-limiter.ts';
import type { Attempt } from './throttle-state.ts';

interface AttemptSlot {
  readonly key: string;
  /** How many tries under this key may be under way at once. */
  readonly room: number;
}

/** Tries that are held at most: in all, and for one name, address and network (an IPv6 /48 or an IPv4 /24) while few are. */
const MOST_HELD = 1_000;
const MOST_OF_NAME = 200;
const MOST_OF_ADDRESS = 128;
const MOST_OF_NETWORK = 200;
/** Unwritten failures that keep their places at most: whoever pushes one out pays a hash for each. */
const MOST_UNWRITTEN = 10_000;
/** How many counts there are of what was settled: as many as three hex digits tell apart. */
const COUNTS = 4_096;

const countOf = (key: string) => Number.parseInt(key.slice(0, 3), 16);

/** Adds to a count, which is gone once it is 0, and never below: that would be room for another try. */
function add(counts: Map<string, number>, key: string, more: number): void {
  const sum = (counts.get(key) ?? 0) + more;
  if (sum <= 0) counts.delete(key);
  else counts.set(key, sum);
}

/**
 * The tries under way in this process. A try counts as a failure from when it is let through until it succeeds:
 * as many may be under way at once as there are failures left before the threshold, and the next ones are held
 * until one of those is known. So parallel tries do not slip by, and parallel right ones are not refused. A failure that
 * could not be written goes on counting here.
 */
export class InFlightAttempts {
  readonly #underWay = new Map<string, number>();
  /** What lets those go on that are held under a key: in turns by network, and within a network by address. */
  readonly #held = new Map<string, RoundRobin<() => void>>();
  readonly #room = new SharedRoom(MOST_HELD);
  /** What gives the places of each unwritten failure back, the oldest first. */
  readonly #unwritten = new Set<() => void>();
  /** How many places they take under each key. */
  readonly #keptUnder = new Map<string, number>();
  readonly #settled = new Uint32Array(COUNTS);

  /**
   * Rises whenever a try is settled under one of the keys: what was read of their counters before is old then. Keys share
   * counts, so what was read may pass for old that is not, and never the other way round.
   */
  settledUnder(keys: readonly string[]): number {
    return keys.reduce((sum, key) => sum + (this.#settled[countOf(key)] as number), 0);
  }

  /**
   * Takes a place under every key. Where one of them has no room it takes none, and gives that key. Throws
   * {@link QueueTimeout} where unwritten failures leave none: there is nothing to be held for.
   */
  tryAcquire(places: readonly AttemptSlot[]): string | undefined {
    const full = places.find(({ key, room }) => (this.#underWay.get(key) ?? 0) >= room);
    if (full !== undefined && (this.#keptUnder.get(full.key) ?? 0) >= full.room)
      throw new QueueTimeout('failures that could not be written leave no room for another');
    if (full !== undefined) return full.key;
    for (const { key } of places) add(this.#underWay, key, 1);
    return undefined;
  }

  /** Gives the places back, once a failure is written or a success is known: under each key one more may go on. */
  release(keys: readonly string[]): void {
    for (const key of keys) {
      add(this.#underWay, key, -1);
      this.#settled[countOf(key)] = (this.#settled[countOf(key)] as number) + 1;
    }
    for (const key of keys) this.notify(key);
  }

  /**
   * Takes a place under every key, whether there is room or not, for a failure that could not be written. It is given
   * back after {@link LONGEST_WAIT}, or sooner where there are too many of them.
   */
  retain(keys: readonly string[]): void {
    for (const key of keys) for (const counts of [this.#underWay, this.#keptUnder]) add(counts, key, 1);
    const giveBack = () => {
      clearTimeout(due);
      this.#unwritten.delete(giveBack);
      for (const key of keys) add(this.#keptUnder, key, -1);
      this.release(keys);
    };
    const due = setTimeout(giveBack, LONGEST_WAIT).unref();
    this.#unwritten.add(giveBack);
    const [oldest] = this.#unwritten;
    if (this.#unwritten.size > MOST_UNWRITTEN) oldest?.();
  }

  /** Whether a failure under this key could not be written, and still keeps its place. */
  hasUnwritten(key: string): boolean {
    return this.#keptUnder.has(key);
  }

  /** Lets one go on that is held under the key. A try that was let go on and is not held again calls this in its turn. */
  notify(key: string | undefined): void {
    if (key === undefined) return;
    this.#held.get(key)?.next()?.();
  }

  /**
   * Waits for its turn to go on once tries under the key are settled; throws {@link QueueTimeout} after `deadline`
   * milliseconds, or at once where too many wait.
   */
  wait(
    key: string,
    { key: name, address }: Pick<Attempt, 'key' | 'address'>,
    deadline: number,
  ): Promise<void> {
    const network = blockOf(address, SITE);
    const allowances: Allowance[] = [
      { key: `name ${name}`, most: MOST_OF_NAME },
      { key: `address ${address}`, most: MOST_OF_ADDRESS },
      { key: `network ${network}`, most: MOST_OF_NETWORK },
    ];
    if (this.#room.full || this.#room.usedUp(allowances) !== undefined)
      return Promise.reject(new QueueTimeout('too many tries are held behind others'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const held = this.#held.get(key) ?? new RoundRobin();
    const end = () => {
      clearTimeout(timer);
      held.remove(network, address, goOn);
      if (held.shares === 0) this.#held.delete(key);
      this.#room.giveBack(allowances);
    };
    const goOn = () => {
      end();
      resolve();
    };
    const timer = setTimeout(() => {
      end();
      reject(new QueueTimeout('held behind other tries past the deadline'));
    }, deadline);
    held.add(network, address, goOn);
    this.#held.set(key, held);
    this.#room.take(allowances);
    return promise;
  }
}
