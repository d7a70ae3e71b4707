import { tracingChannel } from 'node:diagnostics_channel';
import { availableParallelism } from 'node:os';
import { blockOf, SITE } from '../domain/address-block.ts';
import {
  ConcurrencyLimiter,
  type ConcurrencyLimits,
  QueueTimeout,
  type Quota,
  RoundRobin,
  SharedRoom,
  type Start,
  type WaitingWork,
} from './concurrency-limiter.ts';

/** The login that a hash is for. */
export interface HashOwner {
  /** The name, in the form in which names are compared. */
  readonly key: string;
  readonly address: string;
  /** Whether this user logged in from the address before, without a failure there since. */
  readonly familiar: boolean;
}

/** How many hashes of one name, address and network (an IPv6 /48 or an IPv4 /24) may wait while few others do. */
const MOST_OF_NAME = 16;
const MOST_OF_ADDRESS = 32;
const MOST_OF_NETWORK = 128;
/** One of so many hashes in a row is for a newcomer, as long as one waits. */
const NEWCOMER_EACH = 4;
/** The queue counts as long from so many waiting groups on: then a result may wait for others. */
const MANY_GROUPS = 32;

/** Thrown when one address has its full quota of waiting hashes. */
export class AddressQueueFull extends QueueTimeout {
  override name = 'AddressQueueFull';
}

interface WaitingHash {
  readonly start: Start;
  readonly group: string;
  readonly subgroup: string;
  readonly name: Quota;
  readonly address: Quota;
  readonly network: Quota;
}

const quotasOf = ({ name, address, network }: WaitingHash) => [name, address, network];

/** The waiting hashes of one class: of familiar addresses, or of all others. */
class WaitingHashes {
  readonly #room: SharedRoom;
  readonly #order = new RoundRobin<WaitingHash>();

  constructor(most: number) {
    this.#room = new SharedRoom(most);
  }

  get size(): number {
    return this.#room.size;
  }

  add(hash: WaitingHash): void {
    if (this.#room.full) throw new QueueTimeout('the hash queue is full');
    const full = this.#room.usedUp(quotasOf(hash));
    if (full === hash.address) throw new AddressQueueFull('this address has too many logins waiting');
    if (full === hash.name) throw new QueueTimeout('this name has too many logins waiting');
    if (full !== undefined) throw new QueueTimeout('the network of this address has too many logins waiting');
    this.#room.acquire(quotasOf(hash));
    this.#order.add(hash.group, hash.subgroup, hash);
  }

  remove(hash: WaitingHash): void {
    this.#room.release(quotasOf(hash));
    this.#order.remove(hash.group, hash.subgroup, hash);
  }

  next(): WaitingHash | undefined {
    const hash = this.#order.next();
    if (hash !== undefined) this.#room.release(quotasOf(hash));
    return hash;
  }

  isLongFor({ address }: WaitingHash): boolean {
    return this.#order.groups >= MANY_GROUPS || this.#room.of(address.key) > 0;
  }
}

/**
 * The queue of hashes. It is fair, so that a client that sends many logins does not delay the others. Hashes for familiar
 * addresses come first, in a round robin over names: the owner of one account gets one share, from however many addresses.
 * The others, called newcomers, get at least one turn in four, in a round robin over networks, then addresses.
 */
export class HashQueue implements WaitingWork<HashOwner> {
  readonly #familiar: WaitingHashes;
  readonly #newcomers: WaitingHashes;
  readonly #waiting = new Map<Start, WaitingHash>();
  /** How many familiar hashes had their turn since the last newcomer. */
  #inARow = 0;

  /** At most `most` hashes of familiar addresses wait, and as many of others. */
  constructor(most: number) {
    this.#familiar = new WaitingHashes(most);
    this.#newcomers = new WaitingHashes(most);
  }

  get size(): number {
    return this.#familiar.size + this.#newcomers.size;
  }

  add(start: Start, owner: HashOwner): void {
    const hash = waitingHash(start, owner);
    this.#classOf(owner).add(hash);
    this.#waiting.set(start, hash);
  }

  remove(start: Start, owner: HashOwner): void {
    const hash = this.#waiting.get(start);
    if (hash === undefined) return;
    this.#waiting.delete(start);
    this.#classOf(owner).remove(hash);
  }

  next(): Start | undefined {
    const newcomerIsDue = this.#newcomers.size > 0 && this.#inARow >= NEWCOMER_EACH - 1;
    const familiar = newcomerIsDue ? undefined : this.#familiar.next();
    this.#inARow = familiar === undefined ? 0 : this.#inARow + 1;
    const hash = familiar ?? this.#newcomers.next();
    if (hash !== undefined) this.#waiting.delete(hash.start);
    return hash?.start;
  }

  /** Whether hashes of this address wait, or so many others that a moment more makes no difference. */
  isLongFor(owner: HashOwner): boolean {
    return this.#classOf(owner).isLongFor(waitingHash(() => undefined, owner));
  }

  #classOf({ familiar }: HashOwner): WaitingHashes {
    return familiar ? this.#familiar : this.#newcomers;
  }
}

function waitingHash(start: Start, { key, address, familiar }: HashOwner): WaitingHash {
  const network = blockOf(address, SITE);
  return {
    start,
    group: familiar ? key : network,
    subgroup: address,
    name: { key: `name ${key}`, most: MOST_OF_NAME },
    address: { key: `address ${address}`, most: MOST_OF_ADDRESS },
    network: { key: `network ${network}`, most: MOST_OF_NETWORK },
  };
}

/**
 * How many results are returned together at most while hashes wait. The rest of a login is cheaper in a batch: hashes
 * push its code and data out of the processor's caches, and tickets share a commit (docs/why/hash-queue.md).
 */
const BATCH = 8;
/** Milliseconds that a result waits for others at most. */
const BATCH_WAIT = 100;

/** How many hashes of familiar addresses may wait, and as many of others. */
const MOST_WAITING = 1_000;

/** Publish the wait of each hash for its turn, and the work itself. */
const waits = tracingChannel('tessera:hash-wait');
const hashes = tracingChannel('tessera:hash');

/**
 * Runs a limited number of hashes at the same time, so that hashing leaves the processor to other requests, and queues the
 * rest. While the queue is long, results wait a moment for one another and are returned together.
 */
export class HashPool extends ConcurrencyLimiter<HashOwner> {
  readonly #queue: HashQueue;
  readonly #done: (() => void)[] = [];
  #returning: NodeJS.Timeout | undefined;

  constructor(limits: ConcurrencyLimits) {
    const queue = new HashQueue(MOST_WAITING);
    super(limits, queue);
    this.#queue = queue;
  }

  override run<T>(work: () => Promise<T>, owner: HashOwner, giveUpAt?: number): Promise<T> {
    return waits.hasSubscribers ? this.#publish(work, owner, giveUpAt) : super.run(work, owner, giveUpAt);
  }

  #publish<T>(work: () => Promise<T>, owner: HashOwner, giveUpAt?: number): Promise<T> {
    const turn = Promise.withResolvers<void>();
    const inTurn = () => {
      turn.resolve();
      return hashes.tracePromise(work, {});
    };
    const done = super.run(inTurn, owner, giveUpAt);
    waits.tracePromise(() => Promise.race([turn.promise, done]), {}).catch(() => undefined);
    return done;
  }

  /** Resolves at once while the queue is short for this login. */
  protected override ended(owner: HashOwner): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    if (!this.#queue.isLongFor(owner) || this.#done.length >= BATCH) this.#returnAll();
    else this.#returning ??= setTimeout(() => this.#returnAll(), BATCH_WAIT);
    return promise;
  }

  #returnAll(): void {
    clearTimeout(this.#returning);
    this.#returning = undefined;
    for (const resolve of this.#done.splice(0)) resolve();
  }
}

/**
 * The hash pool of one process of `processes` on this machine: together they run one hash per core. `threads` is the size
 * of the thread pool that computes them. A hash waits for `deadline` milliseconds at most.
 */
export function hashPoolFor(
  deadline: number,
  processes: number,
  threads = Number.POSITIVE_INFINITY,
): HashPool {
  const share = Math.max(1, Math.floor(availableParallelism() / processes));
  // So few threads limit the hashes to the share by themselves. Twice as many hashes are handed to them, so that no
  // thread idles while the event loop waits for the disk.
  const atOnce = threads >= 1 && threads <= share ? 2 * threads : share;
  return new HashPool({ atOnce, deadline });
}
