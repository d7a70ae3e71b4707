import { setTimeout as pause } from 'node:timers/promises';
import { type Holder, holderOf } from '../../domain/user.ts';
import type { ReadUnit, Store, WriteUnit } from '../store.ts';
import { keys, type Partition, partitionOfUser } from './partitions.ts';
import { script } from './script.ts';
import type { RedisServers } from './servers.ts';

/** How long a cached value is used before the database is asked again, in milliseconds. */
const KEPT_FOR = 60 * 60_000;
/** How long a unit may take before its mark counts as left behind, in milliseconds. */
const PATIENCE = 1_000;

const REPLACE = script(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`,
);

/**
 * A value of the database that Redis caches, so that a validation asks Redis alone. While a unit changes it, a mark
 * stands in its place: a reader that finds the mark asks the database.
 */
export interface CachedFact<T> {
  readonly place: Partition;
  readonly key: string;
  read(sql: Pick<ReadUnit, 'users' | 'tickets'>): Promise<T>;
  /** As it is, and stays until the unit ends. */
  hold(sql: Pick<WriteUnit, 'users' | 'tickets'>): Promise<T>;
  encode(value: T): string;
  /** Nothing for what is no value, such as a mark. */
  decode(text: string): { readonly value: T } | undefined;
}

const GONE = '-';

function encodeHolder(holder: Holder | undefined): string {
  if (holder === undefined) return GONE;
  const { generation, lockedUntil, disabled, administrator, name } = holder;
  return `${generation} ${lockedUntil} ${disabled ? 'd' : 'e'}${administrator ? 'a' : 'u'} ${name}`;
}

function decodeHolder(id: number, text: string): { value: Holder | undefined } | undefined {
  if (text === GONE) return { value: undefined };
  const [, generation, lockedUntil, flags = '', name = ''] = /^(\d+) (-?\d+) (..) (.*)$/s.exec(text) ?? [];
  if (generation === undefined) return undefined;
  const administrator = flags[1] === 'a';
  const disabled = flags[0] === 'd';
  return {
    value: {
      id,
      name,
      administrator,
      disabled,
      lockedUntil: Number(lockedUntil),
      generation: Number(generation),
    },
  };
}

/** Whose a ticket is; nothing when the user is gone. */
export function holderFact(id: number): CachedFact<Holder | undefined> {
  const read = async ({ users }: Pick<ReadUnit, 'users'>) => {
    const user = await users.find(id);
    return user && holderOf(user);
  };
  return {
    place: partitionOfUser(id),
    key: keys.user(id),
    read,
    hold: read,
    encode: encodeHolder,
    decode: (text) => decodeHolder(id, text),
  };
}

/** The server's generation, as a place has it. */
export function generationFact(place: Partition): CachedFact<number> {
  return {
    place,
    key: keys.generation(place),
    read: ({ tickets }) => tickets.serverGeneration(),
    async hold({ users, tickets }) {
      // Who raises it holds this too.
      await users.count();
      return tickets.serverGeneration();
    },
    encode: String,
    decode: (text) => (/^\d+$/.test(text) ? { value: Number(text) } : undefined),
  };
}

/** Caches values of the database in Redis, and invalidates them. */
export class UserCache {
  readonly #servers: RedisServers;
  readonly #sql: Store;
  readonly #repairing = new Map<string, Promise<void>>();
  #closed = false;

  constructor(servers: RedisServers, sql: Store) {
    this.#servers = servers;
    this.#sql = sql;
  }

  /** The fact, of which `remembered` was read before this call: that, or else what the database says now. */
  async known<T>(
    fact: CachedFact<T>,
    remembered: string | null,
    sql: Pick<ReadUnit, 'users' | 'tickets'>,
  ): Promise<T> {
    const found = remembered === null ? undefined : fact.decode(remembered);
    if (found !== undefined) return found.value;
    const value = await fact.read(sql);
    if (remembered === null) this.#remember(fact, value);
    else this.#repair(fact, remembered);
    return value;
  }

  /** Invalidates the value: puts a mark in its place. The unit holds the fact from before this until it is committed. */
  async invalidate({ place, key }: Pick<CachedFact<unknown>, 'place' | 'key'>, mark: string): Promise<void> {
    await this.#servers.write(place.slot, ['SET', key, mark]);
  }

  /** Puts the fact in the place of the mark, if that is there still. */
  async settle<T>(fact: CachedFact<T>, mark: string, value: T): Promise<void> {
    const words = REPLACE([fact.key], mark, fact.encode(value), String(KEPT_FOR));
    await this.#servers.ask(fact.place.slot, words);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#repairing.values());
  }

  /** Remembers what was missing. Whoever has changed it since has put something there already. */
  #remember<T>(fact: CachedFact<T>, value: T): void {
    const words = ['SET', fact.key, fact.encode(value), 'NX', 'PX', String(KEPT_FOR)];
    void this.#servers.ask(fact.place.slot, words).catch(() => undefined);
  }

  /** Replaces a mark that its unit left behind by the value in the database, once no unit changes it. */
  #repair<T>(fact: CachedFact<T>, mark: string): void {
    if (this.#repairing.has(fact.key) || this.#closed) return;
    const mending = this.#repairLater(fact, mark)
      .catch(() => undefined)
      .finally(() => this.#repairing.delete(fact.key));
    this.#repairing.set(fact.key, mending);
  }

  async #repairLater<T>(fact: CachedFact<T>, mark: string): Promise<void> {
    await pause(PATIENCE, undefined, { ref: false });
    if (this.#closed || (await this.#servers.ask(fact.place.slot, ['GET', fact.key])) !== mark) return;
    await this.#sql.write(async (unit) => this.settle(fact, mark, await fact.hold(unit)));
  }
}
