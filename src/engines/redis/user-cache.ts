import { setTimeout as pause } from 'node:timers/promises';
import { type Holder, holderOf } from '../../core/domain/user.ts';
import type { MaybePromise } from '../../core/maybe-promise.ts';
import type { ReadUnit, Store, WriteUnit } from '../../core/storage/store.ts';
import { keys, type Partition, partitionOfUser } from './partitions.ts';
import { type RedisServers, script } from './servers.ts';

/** How long Redis keeps a cached value, in milliseconds. */
const KEPT_FOR = 60 * 60_000;
/** How long a mark stays before it is repaired, in milliseconds: its unit may have ended without removing it. */
const REPAIR_AFTER = 1_000;

/**
 * Replaces a mark by a value. If the mark was lost, a reader may have cached the value from before the commit: then this puts
 * the mark back. The mark of another unit stays.
 */
const REPLACE = script(
  `local kept = redis.call('GET', KEYS[1])
if kept == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
elseif not kept or string.sub(kept, 1, 1) ~= '!' then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
end
return 1`,
);

/** The source of a value of the database. */
export type CacheSource = Pick<ReadUnit, 'users' | 'tickets' | 'groups'>;

/**
 * A value of the database that Redis caches, so that a validation asks Redis alone. While a unit changes it, a mark
 * stands in its partition: a reader that finds the mark asks the database.
 */
export interface CachedValue<T> {
  readonly partition: Partition;
  readonly key: string;
  read(sql: CacheSource): Promise<T>;
  /** Reads the value and locks it until the unit ends. */
  lock(sql: Pick<WriteUnit, keyof CacheSource | 'lock'>): Promise<T>;
  encode(value: T): string;
  /** Undefined for a text that is no value, such as a mark. */
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

/** The user of a ticket; the value is undefined when the user was removed. */
export function cachedHolder(id: number): CachedValue<Holder | undefined> {
  const read = async ({ users }: Pick<ReadUnit, 'users'>) => {
    const user = await users.find(id);
    return user && holderOf(user);
  };
  return {
    partition: partitionOfUser(id),
    key: keys.user(id),
    read,
    lock: read,
    encode: encodeHolder,
    decode: (text) => decodeHolder(id, text),
  };
}

/** The server's generation. Each partition has a copy. */
export function cachedGeneration(partition: Partition): CachedValue<number> {
  return {
    partition,
    key: keys.generation(partition),
    read: ({ tickets }) => tickets.serverGeneration(),
    async lock(unit) {
      // A unit that raises the generation takes this lock too.
      await unit.lock('users');
      return unit.tickets.serverGeneration();
    },
    encode: String,
    decode: (text) => (/^\d+$/.test(text) ? { value: Number(text) } : undefined),
  };
}

/** Caches users and the server's generation in Redis, and invalidates them. */
export class UserCache {
  readonly #servers: RedisServers;
  readonly #sql: Store;
  readonly #repairing = new Map<string, Promise<void>>();
  #closed = false;

  constructor(servers: RedisServers, sql: Store) {
    this.#servers = servers;
    this.#sql = sql;
  }

  /** The value that was read from Redis as `text`; where that is no value, the one that the database has now. */
  resolve<T>(cached: CachedValue<T>, text: string | null, sql: CacheSource): MaybePromise<T> {
    const found = text === null ? undefined : cached.decode(text);
    return found === undefined ? this.#read(cached, text, sql) : found.value;
  }

  /** Reads the value from the database, and has Redis cache it. */
  async #read<T>(cached: CachedValue<T>, text: string | null, sql: CacheSource): Promise<T> {
    const value = await cached.read(sql);
    if (text === null) this.#fill(cached, value);
    else this.#repair(cached, text);
    return value;
  }

  /** Invalidates the value: writes a mark over it. The unit has to lock the value before this call until its commit. */
  async invalidate(
    { partition, key }: Pick<CachedValue<unknown>, 'partition' | 'key'>,
    mark: string,
  ): Promise<void> {
    await this.#servers.write(partition.slot, ['SET', key, mark]);
  }

  /** Replaces the mark by the value. If the mark is lost, it is put there again, and repaired later. */
  async replace<T>(cached: CachedValue<T>, mark: string, value: T): Promise<void> {
    const words = REPLACE([cached.key], mark, cached.encode(value), String(KEPT_FOR));
    await this.#servers.ask(cached.partition.slot, words);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#repairing.values());
  }

  /** Caches a missing value. It overwrites nothing: a unit that has changed the value since has written a mark. */
  #fill<T>(cached: CachedValue<T>, value: T): void {
    const words = ['SET', cached.key, cached.encode(value), 'NX', 'PX', String(KEPT_FOR)];
    void this.#servers.ask(cached.partition.slot, words).catch(() => undefined);
  }

  /** Replaces a mark that a unit left behind by the value in the database, once no unit changes it. */
  #repair<T>(cached: CachedValue<T>, mark: string): void {
    if (this.#repairing.has(cached.key) || this.#closed) return;
    const repair = this.#repairLater(cached, mark)
      .catch(() => undefined)
      .finally(() => this.#repairing.delete(cached.key));
    this.#repairing.set(cached.key, repair);
  }

  async #repairLater<T>(cached: CachedValue<T>, mark: string): Promise<void> {
    await pause(REPAIR_AFTER, undefined, { ref: false });
    if (this.#closed || (await this.#servers.ask(cached.partition.slot, ['GET', cached.key])) !== mark)
      return;
    await this.#sql.write(async (unit) => this.replace(cached, mark, await cached.lock(unit)));
  }
}
