import { type Counter, keptUntil } from '../../core/domain/lockout.ts';
import {
  COUNTERS,
  type CounterKey,
  type CounterKeys,
  eachCounter,
  type StoredThrottleState,
} from '../../core/storage/store.ts';
import { keys, type Partition, partitionOfCounter, partitions } from './partitions.ts';
import { type RedisServers, script } from './servers.ts';

/** A counter and the name that it belongs to, if any. */
export interface NamedCounter {
  readonly counter: Counter;
  readonly name: CounterKey | undefined;
}

/** How many members an index has at most. More than there are counters: removed ones stay in the index of their name. */
const MOST_IN_INDEX = 200_000;
/** Adds a counter to an index until it expires, and removes expired ones from the index. */
const ADD_TO_INDEX = script(
  `redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ${-MOST_IN_INDEX - 1})
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])`,
);
/**
 * Returns how many counters there are, and the first ones to remove: key, whether the counter is active (it makes somebody
 * wait), last failure, name. While the slot is moved, counters on another master than their index are passed over.
 */
const FIRST_TO_GO = script(
  `local count, idle, waiting = 0, {}, {}
for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local kept = redis.pcall('GET', ARGV[1] .. 'a' .. key)
  if type(kept) == 'string' then
    count = count + 1
    local last, untilWhen, name = string.match(kept, '^%d+ %-?%d+ (%-?%d+) (%-?%d+) (.*)$')
    local waits = tonumber(untilWhen) > tonumber(ARGV[2])
    table.insert(waits and waiting or idle, {key, waits and 1 or 0, last, name})
  end
end
local first = {count}
for _, list in ipairs({idle, waiting}) do
  table.sort(list, function(a, b) return tonumber(a[3]) < tonumber(b[3]) end)
  for _, row in ipairs(list) do
    if #first > tonumber(ARGV[3]) then return first end
    table.insert(first, row)
  end
end
return first`,
  'reads',
);

/** How many counters are asked for at a time: far fewer than may wait on a connection. */
const AT_ONCE = 1_000;

interface Candidate {
  readonly partition: Partition;
  readonly key: CounterKey;
  readonly name: CounterKey | undefined;
  readonly waits: number;
  readonly lastFailureAt: number;
}

const inOrder = (a: Candidate, b: Candidate) => a.waits - b.waits || a.lastFailureAt - b.lastFailureAt;

/** The counters of failures that Redis keeps, each until it expires. */
export class Counters {
  readonly #servers: RedisServers;
  readonly #clock: () => number;

  constructor(servers: RedisServers, clock: () => number) {
    this.#servers = servers;
    this.#clock = clock;
  }

  async find(key: CounterKey): Promise<NamedCounter | undefined> {
    const reply = await this.#servers.ask(partitionOfCounter(key).slot, ['GET', keys.counter(key)]);
    if (reply === null) return undefined;
    const words = String(reply).split(' ');
    const numbers = words.slice(0, 4).map(Number) as [number, number, number, number];
    const [failures, since, lastFailureAt, waitUntil] = numbers;
    return { counter: { failures, since, lastFailureAt, waitUntil }, name: words[4] || undefined };
  }

  /** The counters of an attempt to log in. */
  async findAll(of: CounterKeys): Promise<StoredThrottleState['counters']> {
    const found = await Promise.all(COUNTERS.map((which) => this.find(of[which])));
    return eachCounter((which) => found[COUNTERS.indexOf(which)]?.counter);
  }

  async put(key: CounterKey, { counter, name }: NamedCounter): Promise<void> {
    const { failures, since, lastFailureAt, waitUntil } = counter;
    const partition = partitionOfCounter(key);
    const { slot } = partition;
    const value = `${failures} ${since} ${lastFailureAt} ${waitUntil} ${name ?? ''}`;
    const now = this.#clock();
    const expiresAt = keptUntil(counter);
    const length = String(Math.max(1, expiresAt - now));
    const member = Buffer.from(key, 'hex');
    const addTo = (at: number, index: string | Buffer) =>
      this.#servers.write(at, ADD_TO_INDEX([index], member, String(expiresAt), String(now), length));
    // Three commands, not one script: while the slot is moved, a counter and its index may be on different masters.
    await allSettled([
      this.#servers.write(slot, ['SET', keys.counter(key), value, 'PX', length]),
      addTo(slot, keys.counters(partition)),
      name === undefined ? undefined : addTo(partitionOfCounter(name).slot, keys.ofName(name)),
    ]);
  }

  /** Removes these. They stay in the index of their name, so that one that could not be removed is found again. */
  async remove(gone: readonly CounterKey[]): Promise<void> {
    await byBatches(gone, (key) => this.#drop(key, undefined));
  }

  /** The keys of the counters that belong to a name. */
  async ofName(name: CounterKey): Promise<CounterKey[]> {
    const words = ['ZRANGE', keys.ofName(name), '0', '-1'];
    const members = (await this.#servers.ask(partitionOfCounter(name).slot, words, {
      as: 'bytes',
    })) as Buffer[];
    const found = members.map((member) => member.toString('hex'));
    const counters = await byBatches(found, (key) => this.find(key));
    return found.filter((_, index) => counters[index]?.name === name);
  }

  /** Removes all but `most` counters, in the order that the port says. */
  async trim(most: number, now: number): Promise<void> {
    const sizes = await Promise.all(
      partitions.map((partition) =>
        this.#servers.ask(partition.slot, ['ZCOUNT', keys.counters(partition), `(${now}`, '+inf']),
      ),
    );
    const atMost = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    if (atMost <= most) return;
    const filled = partitions.filter((_, index) => sizes[index] !== 0);
    // About twice the share of each partition. Asked again with more when a partition gives up all of its share.
    for (let share = Math.ceil((2 * (atMost - most)) / filled.length) + 8; ; share *= 4) {
      const found = await Promise.all(filled.map((partition) => this.#firstToGo(partition, now, share)));
      const excess = found.reduce((sum, { count }) => sum + count, 0) - most;
      const chosen = found
        .flatMap(({ first }) => first)
        .sort(inOrder)
        .slice(0, Math.max(0, excess));
      const takenFrom = (of: Partition) => chosen.filter(({ partition }) => partition === of).length;
      const isSure = found.every(
        ({ count }, index) => count <= share || takenFrom(filled[index] as Partition) < share,
      );
      if (!isSure) continue;
      await byBatches(chosen, ({ key, name }) => this.#drop(key, name));
      return;
    }
  }

  async #firstToGo(
    partition: Partition,
    now: number,
    share: number,
  ): Promise<{ count: number; first: Candidate[] }> {
    const words = FIRST_TO_GO([keys.counters(partition)], partition.prefix, String(now), String(share));
    const [count, ...rows] = (await this.#servers.ask(partition.slot, words, { as: 'bytes' })) as [
      number,
      ...Buffer[][],
    ];
    const first = rows.map(([key, waits, last, name]) => ({
      partition,
      key: (key as Buffer).toString('hex'),
      name: String(name) || undefined,
      waits: Number(waits),
      lastFailureAt: Number(String(last)),
    }));
    return { count, first };
  }

  async #drop(key: CounterKey, name: CounterKey | undefined): Promise<void> {
    const partition = partitionOfCounter(key);
    const member = Buffer.from(key, 'hex');
    await Promise.all([
      this.#servers.write(partition.slot, ['DEL', keys.counter(key)]),
      this.#servers.write(partition.slot, ['ZREM', keys.counters(partition), member]),
      name === undefined
        ? undefined
        : this.#servers.write(partitionOfCounter(name).slot, ['ZREM', keys.ofName(name), member]),
    ]);
  }
}

/** Does `work` on each item, on {@link AT_ONCE} at a time. */
async function byBatches<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return done;
}

/**
 * Waits until all writes are over, then throws the first fault. A count that is still being written when the unit's locks
 * are released would overwrite the count of another unit.
 */
export async function allSettled(writes: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const fault = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
  if (fault !== undefined) throw (fault as PromiseRejectedResult).reason;
}
