import { setTimeout as pause } from 'node:timers/promises';
import { type Holder, holderOf } from '../../domain/user.ts';
import type { ReadUnit, Store, WriteUnit } from '../store.ts';
import { keys, type Place, placeOfUser } from './places.ts';
import { script } from './script.ts';
import type { Servers } from './servers.ts';

/** How long a fact is believed before the database is asked again, in milliseconds: what was changed past us heals. */
const KEPT_FOR = 60 * 60_000;
/** How long a unit may take before somebody looks whether its mark was left behind, in milliseconds. */
const PATIENCE = 1_000;

const REPLACE = script(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`,
);

/**
 * Something that the database decides and Redis remembers, so that a validation asks Redis alone. While a unit changes
 * it a mark stands in its place, and whoever meets the mark asks the database.
 */
export interface Fact<T> {
  readonly place: Place;
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
export function holderFact(id: number): Fact<Holder | undefined> {
  const read = async ({ users }: Pick<ReadUnit, 'users'>) => {
    const user = await users.find(id);
    return user && holderOf(user);
  };
  return {
    place: placeOfUser(id),
    key: keys.user(id),
    read,
    hold: read,
    encode: encodeHolder,
    decode: (text) => decodeHolder(id, text),
  };
}

/** The server's generation, as a place has it. */
export function generationFact(place: Place): Fact<number> {
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

/** What Redis remembers of the database's facts. */
export class Facts {
  readonly #servers: Servers;
  readonly #sql: Store;
  readonly #mending = new Map<string, Promise<void>>();
  #closed = false;

  constructor(servers: Servers, sql: Store) {
    this.#servers = servers;
    this.#sql = sql;
  }

  /** The fact, of which `remembered` was read before this call: that, or else what the database says now. */
  async known<T>(
    fact: Fact<T>,
    remembered: string | null,
    sql: Pick<ReadUnit, 'users' | 'tickets'>,
  ): Promise<T> {
    const found = remembered === null ? undefined : fact.decode(remembered);
    if (found !== undefined) return found.value;
    const value = await fact.read(sql);
    if (remembered === null) this.#remember(fact, value);
    else this.#mend(fact, remembered);
    return value;
  }

  /** Puts a mark in the fact's place. The unit holds the fact from before this until it is committed. */
  async mark({ place, key }: Pick<Fact<unknown>, 'place' | 'key'>, mark: string): Promise<void> {
    await this.#servers.write(place.slot, ['SET', key, mark]);
  }

  /** Puts the fact in the place of the mark, if that is there still. */
  async settle<T>(fact: Fact<T>, mark: string, value: T): Promise<void> {
    const words = REPLACE([fact.key], mark, fact.encode(value), String(KEPT_FOR));
    await this.#servers.ask(fact.place.slot, words);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#mending.values());
  }

  /** Remembers what was missing. Whoever has changed it since has put something there already. */
  #remember<T>(fact: Fact<T>, value: T): void {
    const words = ['SET', fact.key, fact.encode(value), 'NX', 'PX', String(KEPT_FOR)];
    void this.#servers.ask(fact.place.slot, words).catch(() => undefined);
  }

  /** Replaces a mark whose unit came to no end, by what the database says once nobody is changing it. */
  #mend<T>(fact: Fact<T>, mark: string): void {
    if (this.#mending.has(fact.key) || this.#closed) return;
    const mending = this.#mendLater(fact, mark)
      .catch(() => undefined)
      .finally(() => this.#mending.delete(fact.key));
    this.#mending.set(fact.key, mending);
  }

  async #mendLater<T>(fact: Fact<T>, mark: string): Promise<void> {
    await pause(PATIENCE, undefined, { ref: false });
    if (this.#closed || (await this.#servers.ask(fact.place.slot, ['GET', fact.key])) !== mark) return;
    await this.#sql.write(async (unit) => this.settle(fact, mark, await fact.hold(unit)));
  }
}
