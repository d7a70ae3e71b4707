import { type Counter, keptUntil } from '../../domain/lockout.ts';
import {
  COUNTERS,
  type CounterKey,
  type CounterKeys,
  eachCounter,
  type StoredThrottleState,
} from '../store.ts';
import { allOver } from './all-over.ts';
import { keys, type Partition, partitionOfCounter, places } from './partitions.ts';
import { script } from './script.ts';
import type { RedisServers } from './servers.ts';

/** A counter with the name that it belongs to. */
export interface NamedCounter {
  readonly counter: Counter;
  readonly name: CounterKey | undefined;
}

/** Members of an index at most, more than there are counters: those that were removed stay in that of their name. */
const MOST_IN_INDEX = 200_000;
/** Puts a counter into an index for as long as it is kept; those that are forgotten leave it. */
const JOIN = script(
  `redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ${-MOST_IN_INDEX - 1})
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])`,
);
/**
 * How many counters there are, and the first of those that may go: key, whether it makes anybody wait, last failure,
 * name. While the slot is moved, those that lie on another master than their index are passed over.
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

/** Counters that are asked for together: far fewer than may wait on a connection. */
const AT_ONCE = 1_000;

interface Candidate {
  readonly place: Partition;
  readonly key: CounterKey;
  readonly name: CounterKey | undefined;
  readonly waits: number;
  readonly lastFailureAt: number;
}

const inOrder = (a: Candidate, b: Candidate) => a.waits - b.waits || a.lastFailureAt - b.lastFailureAt;

/** The counters of failures, as Redis keeps them: each until it is forgotten anyway. */
export class Counters {
  readonly #servers: RedisServers;
  readonly #clock: () => number;

  constructor(servers: RedisServers, clock: () => number) {
    this.#servers = servers;
    this.#clock = clock;
  }

  async find(key: CounterKey): Promise<NamedCounter | undefined> {
    const kept = await this.#servers.ask(partitionOfCounter(key).slot, ['GET', keys.counter(key)]);
    if (kept === null) return undefined;
    const words = String(kept).split(' ');
    const numbers = words.slice(0, 4).map(Number) as [number, number, number, number];
    const [failures, since, lastFailureAt, waitUntil] = numbers;
    return { counter: { failures, since, lastFailureAt, waitUntil }, name: words[4] || undefined };
  }

  /** The counters that a try stands under. */
  async findAll(of: CounterKeys): Promise<StoredThrottleState['counters']> {
    const found = await Promise.all(COUNTERS.map((which) => this.find(of[which])));
    return eachCounter((which) => found[COUNTERS.indexOf(which)]?.counter);
  }

  async put(key: CounterKey, { counter, name }: NamedCounter): Promise<void> {
    const { failures, since, lastFailureAt, waitUntil } = counter;
    const place = partitionOfCounter(key);
    const { slot } = place;
    const value = `${failures} ${since} ${lastFailureAt} ${waitUntil} ${name ?? ''}`;
    const now = this.#clock();
    const forgottenAt = keptUntil(counter);
    const length = String(Math.max(1, forgottenAt - now));
    const member = Buffer.from(key, 'hex');
    const join = (at: number, index: string | Buffer) =>
      this.#servers.write(at, JOIN([index], member, String(forgottenAt), String(now), length));
    // No script: while the slot is moved, a counter and the index may lie on different masters.
    await allOver([
      this.#servers.write(slot, ['SET', keys.counter(key), value, 'PX', length]),
      join(slot, keys.counters(place)),
      name === undefined ? undefined : join(partitionOfCounter(name).slot, keys.ofName(name)),
    ]);
  }

  /** Takes these away. The list of their name keeps them: one that could not be removed has to be found again. */
  async remove(gone: readonly CounterKey[]): Promise<void> {
    await byBatches(gone, (key) => this.#drop(key, undefined));
  }

  /** The keys of the counters that belong to a name. */
  async ofName(name: CounterKey): Promise<CounterKey[]> {
    const words = ['ZRANGE', keys.ofName(name), '0', '-1'];
    const members = (await this.#servers.ask(partitionOfCounter(name).slot, words, 'bytes')) as Buffer[];
    const found = members.map((member) => member.toString('hex'));
    const counters = await byBatches(found, (key) => this.find(key));
    return found.filter((_, index) => counters[index]?.name === name);
  }

  /** Keeps at most `most`: see the port. */
  async trim(most: number, now: number): Promise<void> {
    const sizes = await Promise.all(
      places.map((place) =>
        this.#servers.ask(place.slot, ['ZCOUNT', keys.counters(place), `(${now}`, '+inf']),
      ),
    );
    const atMost = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    if (atMost <= most) return;
    const filled = places.filter((_, index) => sizes[index] !== 0);
    // About twice what each place has to give up; asked again when some place has more.
    for (let share = Math.ceil((2 * (atMost - most)) / filled.length) + 8; ; share *= 4) {
      const found = await Promise.all(filled.map((place) => this.#firstToGo(place, now, share)));
      const excess = found.reduce((sum, { count }) => sum + count, 0) - most;
      const chosen = found
        .flatMap(({ first }) => first)
        .sort(inOrder)
        .slice(0, Math.max(0, excess));
      const takenFrom = (of: Partition) => chosen.filter(({ place }) => place === of).length;
      const isSure = found.every(
        ({ count }, index) => count <= share || takenFrom(filled[index] as Partition) < share,
      );
      if (!isSure) continue;
      await byBatches(chosen, ({ key, name }) => this.#drop(key, name));
      return;
    }
  }

  async #firstToGo(
    place: Partition,
    now: number,
    share: number,
  ): Promise<{ count: number; first: Candidate[] }> {
    const words = FIRST_TO_GO([keys.counters(place)], place.prefix, String(now), String(share));
    const [count, ...rows] = (await this.#servers.ask(place.slot, words, 'bytes')) as [number, ...Buffer[][]];
    const first = rows.map(([key, waits, last, name]) => ({
      place,
      key: (key as Buffer).toString('hex'),
      name: String(name) || undefined,
      waits: Number(waits),
      lastFailureAt: Number(String(last)),
    }));
    return { count, first };
  }

  async #drop(key: CounterKey, name: CounterKey | undefined): Promise<void> {
    const place = partitionOfCounter(key);
    const member = Buffer.from(key, 'hex');
    await Promise.all([
      this.#servers.write(place.slot, ['DEL', keys.counter(key)]),
      this.#servers.write(place.slot, ['ZREM', keys.counters(place), member]),
      name === undefined
        ? undefined
        : this.#servers.write(partitionOfCounter(name).slot, ['ZREM', keys.ofName(name), member]),
    ]);
  }
}

/** Does `work` on each, on not too many at once. */
async function byBatches<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return done;
}
