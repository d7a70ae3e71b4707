/** Starts work that waited. */
export type Start = () => void;

/** The queue of a {@link ConcurrencyLimiter}. It decides the order of waiting work, and how much may wait. */
export interface WaitingWork<Place> {
  readonly size: number;
  /** Adds work at this place. Throws {@link QueueTimeout} if there is no room for it. */
  add(start: Start, place: Place): void;
  /** Removes work whose caller has given up. */
  remove(start: Start, place: Place): void;
  /** Removes and returns the work whose turn it is. */
  next(): Start | undefined;
}

/** The bounds of a {@link ConcurrencyLimiter}. */
export interface ConcurrencyLimits {
  /** How many pieces of work run at the same time. */
  readonly atOnce: number;
  /** Milliseconds that work waits at most, if its caller names no time. */
  readonly deadline: number;
}

/** Thrown when work did not start in time, or when too much work waits. */
export class QueueTimeout extends Error {
  override name = 'QueueTimeout';
}

/** A queue in the order of arrival. */
export class FirstComeFirstServed implements WaitingWork<void> {
  readonly #most: number;
  readonly #waiting = new Set<Start>();

  /** At most `most` pieces of work wait. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(start: Start): void {
    if (this.#waiting.size >= this.#most) throw new QueueTimeout('the queue is full');
    this.#waiting.add(start);
  }

  remove(start: Start): void {
    this.#waiting.delete(start);
  }

  next(): Start | undefined {
    const [first] = this.#waiting;
    if (first !== undefined) this.#waiting.delete(first);
    return first;
  }
}

/** Runs a limited number of pieces of work at the same time, and queues the rest. */
export class ConcurrencyLimiter<Place = void> {
  readonly #limits: ConcurrencyLimits;
  readonly #queue: WaitingWork<Place>;
  #running = 0;

  constructor(limits: ConcurrencyLimits, queue: WaitingWork<Place>) {
    this.#limits = limits;
    this.#queue = queue;
  }

  /** How many pieces of work wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** How many pieces of work run. */
  get running(): number {
    return this.#running;
  }

  /**
   * Runs `work` when its turn comes, and returns its result. Throws {@link QueueTimeout} if its turn does not come before
   * `giveUpAt` (as `performance.now()` counts), or without `giveUpAt` within the deadline.
   */
  async run<T>(work: () => Promise<T>, place: Place, giveUpAt?: number): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running += 1;
    else await this.#turn(place, giveUpAt);
    try {
      return await work();
    } finally {
      this.#startNext();
      await this.ended(place);
    }
  }

  /** `run` waits for this promise before it returns a result. The next work has started by then. */
  protected ended(_place: Place): Promise<void> | undefined {
    return undefined;
  }

  #turn(place: Place, giveUpAt?: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#queue.add(start, place);
    const wait = giveUpAt === undefined ? this.#limits.deadline : Math.max(0, giveUpAt - performance.now());
    const timer = setTimeout(() => {
      this.#queue.remove(start, place);
      reject(new QueueTimeout('no turn in the queue before its deadline'));
    }, wait);
    return promise;
  }

  #startNext(): void {
    const start = this.#queue.next();
    if (start === undefined) this.#running -= 1;
    else start();
  }
}

/** The entries of one group, by subgroup. The subgroup whose turn is next comes first. */
type Subgroups<T> = Map<string, Set<T>>;

/** Removes and returns the first key of a map. */
function takeFirst<V>(map: Map<string, V>): [string, V] | undefined {
  const [first] = map;
  if (first !== undefined) map.delete(first[0]);
  return first;
}

/**
 * A round robin on two levels: groups get one turn each, and within a group its subgroups get one turn each. An entry that
 * joins an empty group waits for at most one entry of each other group, however many wait there.
 */
export class RoundRobin<T> {
  readonly #groups = new Map<string, Subgroups<T>>();

  /** How many groups have entries. */
  get groups(): number {
    return this.#groups.size;
  }

  add(group: string, subgroup: string, entry: T): void {
    const subgroups: Subgroups<T> = this.#groups.get(group) ?? new Map();
    const entries = subgroups.get(subgroup) ?? new Set();
    this.#groups.set(group, subgroups.set(subgroup, entries.add(entry)));
  }

  /** Removes an entry, if it is there. */
  remove(group: string, subgroup: string, entry: T): void {
    const subgroups = this.#groups.get(group);
    const entries = subgroups?.get(subgroup);
    entries?.delete(entry);
    if (entries?.size === 0) subgroups?.delete(subgroup);
    if (subgroups?.size === 0) this.#groups.delete(group);
  }

  /** Removes and returns the entry whose turn it is. */
  next(): T | undefined {
    const [group, subgroups] = takeFirst(this.#groups) ?? [];
    if (group === undefined || subgroups === undefined) return undefined;
    const [subgroup, entries] = takeFirst(subgroups) as [string, Set<T>];
    const [entry] = entries as unknown as [T];
    entries.delete(entry);
    if (entries.size > 0) subgroups.set(subgroup, entries);
    if (subgroups.size > 0) this.#groups.set(group, subgroups);
    return entry;
  }
}

/** How many entries one key, such as a name, an address or a network, may have. */
export interface Quota {
  readonly key: string;
  /** The limit while the room is empty. It shrinks with the free room, but never below one. */
  readonly most: number;
}

/**
 * Limits how many entries there are in all, and of each key. Quotas shrink as the room fills, so a few keys never fill it,
 * and a key without entries finds room.
 */
export class SharedRoom {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** How many entries this key has. */
  of(key: string): number {
    return this.#taken.get(key) ?? 0;
  }

  /** Whether there is no room for another entry of any key. */
  get full(): boolean {
    return this.#size >= this.#most;
  }

  /** The first of these quotas that is used up. */
  usedUp(quotas: readonly Quota[]): Quota | undefined {
    const free = 1 - this.#size / this.#most;
    return quotas.find(({ key, most }) => this.of(key) >= Math.ceil(most * free));
  }

  /** Counts an entry toward all these quotas. */
  acquire(quotas: readonly Quota[]): void {
    this.#size += 1;
    for (const { key } of quotas) this.#taken.set(key, this.of(key) + 1);
  }

  /** Takes back one call of `acquire` with the same quotas. */
  release(quotas: readonly Quota[]): void {
    this.#size -= 1;
    for (const { key } of quotas) {
      const left = this.of(key) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
  }
}
