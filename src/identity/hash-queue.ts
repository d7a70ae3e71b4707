import { availableParallelism } from 'node:os';
import { blockOf, SITE } from '../domain/address-block.ts';
import {
  type Allowance,
  ConcurrencyLimiter,
  type ConcurrencyLimits,
  QueueTimeout,
  RoundRobin,
  SharedRoom,
  type Start,
  type WaitingWork,
} from './concurrency-limiter.ts';

/** Whose password a hash is for. */
export interface HashOwner {
  /** The name, as names are compared. */
  readonly key: string;
  readonly address: string;
  /** Whether the address logged this user in before, and has not failed since. */
  readonly familiar: boolean;
}

/** Hashes that wait at most for one name, address and network (an IPv6 /48 or an IPv4 /24), while few are waiting. */
const MOST_OF_NAME = 16;
const MOST_OF_ADDRESS = 32;
const MOST_OF_NETWORK = 128;
/** Of so many hashes in a row one is for a newcomer, as long as any waits. */
const NEWCOMER_EACH = 4;
/** From so many shares on the queue counts as long: a result may wait for others then. */
const MANY_SHARES = 32;

/** Thrown when an address, and not the queue as a whole, has as many hashes waiting as it may. */
export class AddressQueueFull extends QueueTimeout {
  override name = 'AddressQueueFull';
}

interface WaitingHash {
  readonly start: Start;
  readonly share: string;
  readonly line: string;
  readonly name: Allowance;
  readonly address: Allowance;
  readonly network: Allowance;
}

const allowancesOf = ({ name, address, network }: WaitingHash) => [name, address, network];

/** The hashes of familiar addresses, or those of all others: in turns, and bounded. */
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
    const full = this.#room.usedUp(allowancesOf(hash));
    if (full === hash.address) throw new AddressQueueFull('this address has too many logins waiting');
    if (full === hash.name) throw new QueueTimeout('this name has too many logins waiting');
    if (full !== undefined) throw new QueueTimeout('the network of this address has too many logins waiting');
    this.#room.take(allowancesOf(hash));
    this.#order.add(hash.share, hash.line, hash);
  }

  remove(hash: WaitingHash): void {
    this.#room.giveBack(allowancesOf(hash));
    this.#order.remove(hash.share, hash.line, hash);
  }

  next(): WaitingHash | undefined {
    const hash = this.#order.next();
    if (hash !== undefined) this.#room.giveBack(allowancesOf(hash));
    return hash;
  }

  isLongFor({ address }: WaitingHash): boolean {
    return this.#order.shares >= MANY_SHARES || this.#room.of(address.key) > 0;
  }
}

/**
 * The hashes that wait, so that a client that sends many does not hold up the others. Hashes for familiar addresses go first, in
 * turns by name, so that the owner of one account gets one share however many addresses it comes from. The others get
 * one turn in four at least, in turns by network, and within a network by address.
 */
export class HashQueue implements WaitingWork<HashOwner> {
  readonly #familiar: WaitingHashes;
  readonly #newcomers: WaitingHashes;
  readonly #waiting = new Map<Start, WaitingHash>();
  /** How many familiar ones had their turn since the last newcomer. */
  #inARow = 0;

  /** Up to `most` wait from familiar addresses, and as many from others. */
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

  /** Whether the owner's own hashes wait, or so many others that a moment more makes no difference. */
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
    ...(familiar ? { share: key, line: address } : { share: network, line: address }),
    name: { key: `name ${key}`, most: MOST_OF_NAME },
    address: { key: `address ${address}`, most: MOST_OF_ADDRESS },
    network: { key: `network ${network}`, most: MOST_OF_NETWORK },
  };
}

/**
 * The most results that are given together while hashes wait. What a login does beside its hash takes less in company:
 * hashes put its code and data out of the processor's caches, and its ticket shares a commit (docs/why/hash-queue.md).
 */
const TOGETHER = 8;
/** Milliseconds a result waits for others at most. */
const IN_COMPANY = 100;

/** Hashes that wait at most: from familiar addresses, and as many from others. */
const MOST_WAITING = 1_000;

/**
 * Runs so many hashes at a time and queues the rest, so that hashing never takes more than its share. While the queue is
 * long for the owner of a hash, its result waits for a moment as well, and results are returned together.
 */
export class HashPool extends ConcurrencyLimiter<HashOwner> {
  readonly #queue: HashQueue;
  readonly #done: (() => void)[] = [];
  #giving: NodeJS.Timeout | undefined;

  constructor(limits: ConcurrencyLimits) {
    const queue = new HashQueue(MOST_WAITING);
    super(limits, queue);
    this.#queue = queue;
  }

  /** Resolves at once where the queue is short for the owner. */
  protected override ended(owner: HashOwner): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#done.push(resolve);
    if (!this.#queue.isLongFor(owner) || this.#done.length >= TOGETHER) this.#give();
    else this.#giving ??= setTimeout(() => this.#give(), IN_COMPANY);
    return promise;
  }

  #give(): void {
    clearTimeout(this.#giving);
    this.#giving = undefined;
    for (const give of this.#done.splice(0)) give();
  }
}

/**
 * The pool of one of `processes` on this machine, which hashes with so many threads: together they run one hash a core.
 * Hashes wait for `deadline` milliseconds at most.
 */
export function hashPoolFor(
  deadline: number,
  processes: number,
  threads = Number.POSITIVE_INFINITY,
): HashPool {
  const share = Math.max(1, Math.floor(availableParallelism() / processes));
  // Threads that are no more than the share keep to it by themselves. As many hashes again wait at them then, so that
  // none idles while the event loop waits for the disk.
  const atOnce = threads >= 1 && threads <= share ? 2 * threads : share;
  return new HashPool({ atOnce, deadline });
}
