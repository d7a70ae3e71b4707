import type { Counter } from '../../domain/lockout.ts';
import type { AttemptKey, AttemptKeys, KeptStanding } from '../store.ts';
import { keys, type Place, placeOfCounter, places } from './places.ts';
import { script } from './script.ts';
import type { Servers } from './servers.ts';

const DAY = 24 * 60 * 60_000;

/** A counter with the name that it belongs to. */
export interface NamedCounter {
  readonly counter: Counter;
  readonly name: AttemptKey | undefined;
}

/** Puts a counter with those of its name, which are kept until the last of them is forgotten. */
const JOIN = script(
  `redis.call('SADD', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`,
);
/**
 * How many counters there are, and the first of those that may go: key, whether it makes anybody wait, last failure.
 * Those that have moved to another master ahead of their index are passed over.
 */
const FIRST_TO_GO = script(
  `local count, idle, waiting = 0, {}, {}
for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local kept = redis.pcall('GET', ARGV[1] .. 'a' .. key)
  if not kept then redis.call('ZREM', KEYS[1], key)
  elseif type(kept) == 'string' then
    count = count + 1
    local last, untilWhen = string.match(kept, '^%d+ %-?%d+ (%-?%d+) (%-?%d+)')
    local waits = tonumber(untilWhen) > tonumber(ARGV[2])
    table.insert(waits and waiting or idle, {key, waits and 1 or 0, last})
  end
end
local first = {count}
for _, list in ipairs({idle, waiting}) do
  for _, row in ipairs(list) do
    if #first > tonumber(ARGV[3]) then return first end
    table.insert(first, row)
  end
end
return first`,
);

interface Candidate {
  readonly place: Place;
  readonly key: Buffer;
  readonly waits: number;
  readonly lastFailureAt: number;
}

const inOrder = (a: Candidate, b: Candidate) => a.waits - b.waits || a.lastFailureAt - b.lastFailureAt;

/** The counters of failures, as Redis keeps them: each until it is forgotten anyway. */
export class Counters {
  readonly #servers: Servers;
  readonly #clock: () => number;

  constructor(servers: Servers, clock: () => number) {
    this.#servers = servers;
    this.#clock = clock;
  }

  async find(key: AttemptKey): Promise<NamedCounter | undefined> {
    const kept = await this.#servers.ask(placeOfCounter(key).slot, ['GET', keys.counter(key)]);
    if (kept === null) return undefined;
    const words = String(kept).split(' ');
    const numbers = words.slice(0, 4).map(Number) as [number, number, number, number];
    const [failures, since, lastFailureAt, waitUntil] = numbers;
    return { counter: { failures, since, lastFailureAt, waitUntil }, name: words[4] || undefined };
  }

  /** The counters that a try stands under. */
  async findThree(of: AttemptKeys): Promise<KeptStanding['counters']> {
    const [name, pair, address] = await Promise.all([
      this.find(of.name),
      this.find(of.pair),
      this.find(of.address),
    ]);
    return { name: name?.counter, pair: pair?.counter, address: address?.counter };
  }

  async put(key: AttemptKey, { counter, name }: NamedCounter): Promise<void> {
    const { failures, since, lastFailureAt, waitUntil } = counter;
    const place = placeOfCounter(key);
    const { slot } = place;
    const value = `${failures} ${since} ${lastFailureAt} ${waitUntil} ${name ?? ''}`;
    const length = String(Math.max(1, Math.max(lastFailureAt + DAY, waitUntil) - this.#clock() + DAY));
    const member = Buffer.from(key, 'hex');
    // No script: while the slot is moved, a counter and the index may lie on different masters.
    await Promise.all([
      this.#servers.write(slot, ['SET', keys.counter(key), value, 'PX', length]),
      this.#servers.write(slot, ['ZADD', keys.counters(place), String(lastFailureAt), member]),
      name === undefined
        ? undefined
        : this.#servers.write(placeOfCounter(name).slot, JOIN([keys.ofName(name)], member, length)),
    ]);
  }

  async remove(key: AttemptKey): Promise<void> {
    await this.#drop(placeOfCounter(key), [Buffer.from(key, 'hex')]);
  }

  /** The keys of the counters that belong to a name. */
  async ofName(name: AttemptKey): Promise<AttemptKey[]> {
    const { slot } = placeOfCounter(name);
    const members = (await this.#servers.ask(slot, ['SMEMBERS', keys.ofName(name)], 'bytes')) as Buffer[];
    const found = members.map((member) => member.toString('hex'));
    const counters = await Promise.all(found.map((key) => this.find(key)));
    return found.filter((_, index) => counters[index]?.name === name);
  }

  /** Keeps at most `most`: see the port. */
  async trim(most: number, now: number): Promise<void> {
    const sizes = await Promise.all(
      places.map((place) => this.#servers.ask(place.slot, ['ZCARD', keys.counters(place)])),
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
      const taken = new Map(filled.map((place) => [place, chosen.filter((one) => one.place === place)]));
      const isSure = found.every(
        ({ count }, index) => count <= share || (taken.get(filled[index] as Place)?.length ?? 0) < share,
      );
      if (!isSure) continue;
      const drops = [...taken].filter(([, some]) => some.length > 0);
      await Promise.all(
        drops.map(([place, some]) =>
          this.#drop(
            place,
            some.map(({ key }) => key),
          ),
        ),
      );
      return;
    }
  }

  async #firstToGo(place: Place, now: number, share: number): Promise<{ count: number; first: Candidate[] }> {
    const words = FIRST_TO_GO([keys.counters(place)], place.prefix, String(now), String(share));
    const [count, ...rows] = (await this.#servers.ask(place.slot, words, 'bytes')) as [number, ...Buffer[][]];
    const first = rows.map(([key, waits, last]) => ({
      place,
      key: key as Buffer,
      waits: Number(waits),
      lastFailureAt: Number(String(last)),
    }));
    return { count, first };
  }

  async #drop(place: Place, members: readonly Buffer[]): Promise<void> {
    const { slot } = place;
    await Promise.all([
      this.#servers.write(slot, ['ZREM', keys.counters(place), ...members]),
      ...members.map((key) => this.#servers.write(slot, ['DEL', keys.counter(key.toString('hex'))])),
    ]);
  }
}
