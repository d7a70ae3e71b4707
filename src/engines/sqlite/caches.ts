import type {
  Attempts,
  LoginAttempt,
  StoredThrottleState,
  Tickets,
  Users,
} from '../../core/storage/store.ts';
import { TwoGenerationCache } from '../cache/recently-read.ts';
import type { CachedMethods } from '../sql/statement.ts';
import type { ReadCache } from './read-cache.ts';

/** The tickets of a write unit, which notes which of them it changes. */
export function writingTickets(tickets: Tickets, cache: ReadCache): Tickets {
  return {
    ...tickets,
    end: (digest) => {
      cache.note(digest);
      return tickets.end(digest);
    },
    use: (digest, at) => {
      cache.note(digest);
      return tickets.use(digest, at);
    },
    moveToGeneration: (digest, userGeneration) => {
      cache.note(digest);
      return tickets.moveToGeneration(digest, userGeneration);
    },
    raiseServerGeneration: () => {
      cache.noteAll();
      return tickets.raiseServerGeneration();
    },
  };
}

/** Under this it is noted that any state may have changed. */
const ALL_STATES = 'throttle states';
/** The key of the familiar addresses of a user. */
const addressesOf = (userId: number) => `addresses ${userId}`;

/** A state, with the places of the keys that it depends on, and when it was read by the clock of the changes. */
class CachedThrottleState implements StoredThrottleState {
  readonly user;
  readonly counters;
  readonly familiarSince;
  readonly places: readonly number[];
  readonly since: number;

  constructor(
    { user, counters, familiarSince }: StoredThrottleState,
    places: readonly number[],
    since: number,
  ) {
    this.user = user;
    this.counters = counters;
    this.familiarSince = familiarSince;
    this.places = places;
    this.since = since;
  }
}

/** Caches the throttle states that were asked for lately. A caller that still has the last one needs no look-up at all. */
export class ThrottleStateCache {
  readonly #lookUp: (attempt: LoginAttempt) => StoredThrottleState;
  readonly #cache: ReadCache;
  readonly #byPair: TwoGenerationCache<string, CachedThrottleState>;

  constructor(cache: ReadCache, lookUp: (attempt: LoginAttempt) => StoredThrottleState) {
    this.#lookUp = lookUp;
    this.#cache = cache;
    this.#byPair = new TwoGenerationCache(cache.most);
  }

  /** The state as the last commit left it; `known` itself while that is still valid. */
  find(attempt: LoginAttempt, before?: StoredThrottleState): StoredThrottleState {
    if (before instanceof CachedThrottleState && this.#isValid(before)) return before;
    const { keys, userKey } = attempt;
    // A name that cannot be anybody's may have the keys of a user's.
    if (userKey === undefined) return this.#lookUp(attempt);
    const cached = this.#byPair.get(keys.pair);
    if (cached !== undefined && this.#isValid(cached)) return cached;
    const state = this.#lookUp(attempt);
    const ofUser = state.user === undefined ? [userKey] : [state.user.id, addressesOf(state.user.id)];
    const dependsOn = [...Object.values(keys), ...ofUser, ALL_STATES];
    const { changes } = this.#cache;
    const places = dependsOn.map((key) => changes.placeOf(key));
    const read = new CachedThrottleState(state, places, changes.now);
    this.#byPair.set(keys.pair, read);
    return read;
  }

  #isValid({ places, since }: CachedThrottleState): boolean {
    return places.every((place) => this.#cache.changes.isUnchanged(place, since));
  }

  /** Notes that no state may be valid any more, and frees the memory of all of them. */
  #noteAll(): void {
    this.#cache.note(ALL_STATES);
    this.#byPair.clear();
  }

  /** The counters and familiar addresses of a write unit, which notes which of them it changes. */
  writing(attempts: Attempts): Attempts {
    return {
      throttleState: attempts.throttleState,
      put: (key, name, counter) => {
        this.#cache.note(key);
        return attempts.put(key, name, counter);
      },
      remove: (key) => {
        this.#cache.note(key);
        return attempts.remove(key);
      },
      removeOfName: (name) => {
        this.#noteAll();
        return attempts.removeOfName(name);
      },
      trim: (most, now) => {
        this.#noteAll();
        return attempts.trim(most, now);
      },
      setFamiliar: (userId, address, at) => {
        this.#cache.note(addressesOf(userId));
        return attempts.setFamiliar(userId, address, at);
      },
      forgetFamiliar: (userId, address) => {
        this.#cache.note(addressesOf(userId));
        return attempts.forgetFamiliar(userId, address);
      },
      sweepFamiliar: async (at, limit) => {
        const swept = await attempts.sweepFamiliar(at, limit);
        if (swept > 0) this.#noteAll();
        return swept;
      },
    };
  }
}

/**
 * The users of a write unit, which notes whom it changes, by id, and which names it gives away, by key. A removed user takes rows of
 * these tables along.
 */
export function writingUsers(users: Users, cache: ReadCache, tablesOfUsers: readonly string[]): Users {
  return {
    ...users,
    add: (user) => {
      cache.note(user.key);
      return users.add(user);
    },
    change: (id, change) => {
      cache.note(id);
      return users.change(id, change);
    },
    rename: (id, name, key) => {
      cache.note(id);
      cache.note(key);
      return users.rename(id, name, key);
    },
    remove: (id) => {
      for (const key of [id, ...tablesOfUsers]) cache.note(key);
      return users.remove(id);
    },
  };
}

type QuestionValue = string | Buffer;
const textOf = (value: QuestionValue) => (typeof value === 'string' ? value : value.toString('latin1'));

/** A key for a question about these values. The lengths keep it different from that of any others. */
const keyOf = (question: string, ...values: readonly QuestionValue[]) =>
  values.reduce<string>((key, value) => `${key}${value.length} ${textOf(value)}`, question);

type Method = (...values: readonly (QuestionValue | readonly QuestionValue[])[]) => Promise<unknown>;
type Methods = Readonly<Record<string, Method>>;

/** An answer, the place of the first value of its question, and when it was looked up by the clock of the changes. */
interface CachedAnswer {
  readonly answer: Promise<unknown>;
  readonly place: number;
  readonly since: number;
}

/** Caches the answers of a table that were looked up lately. A change invalidates all of them, or those about one first value. */
export class AnswerCache {
  readonly #cache: ReadCache;
  readonly #answers: TwoGenerationCache<string, CachedAnswer>;
  readonly #cached: CachedMethods;
  /** Under this the changes of the table are noted. */
  readonly #table: string;
  readonly #place: number;

  constructor(cache: ReadCache, table: string, cached: CachedMethods) {
    this.#cache = cache;
    this.#answers = new TwoGenerationCache(cache.most);
    this.#cached = cached;
    this.#table = table;
    this.#place = cache.changes.placeOf(table);
  }

  /** The table of a read unit, as the last commit left it. */
  reading(table: object): object {
    return this.#replaced(table, this.#cached.reads, (name, method) => (...values) => {
      const all = values.flat();
      return this.#read(keyOf(name, ...all), this.#about(all[0]), () => method(...values));
    });
  }

  /** The table of a write unit, which notes that it changes rows. */
  writing(table: object): object {
    const { changes, changesOfFirst = [] } = this.#cached;
    const ofAll = this.#replaced(table, changes, (_, method) => (...values) => {
      this.#cache.note(this.#table);
      return method(...values);
    });
    return this.#replaced(ofAll, changesOfFirst, (_, method) => (...values) => {
      this.#cache.note(this.#about(values.flat()[0]));
      return method(...values);
    });
  }

  /** Under this a change of the answers about a first value is noted. */
  #about(value: QuestionValue = ''): string {
    return keyOf(this.#table, value);
  }

  #replaced(table: object, names: readonly string[], by: (name: string, method: Method) => Method): object {
    const methods = table as Methods;
    const replaced = names.map((name) => [name, by(name, methods[name] as Method)]);
    return { ...table, ...Object.fromEntries(replaced) };
  }

  /** The cached answer, or the one that `lookUp` gives: it has to read before it returns. */
  #read(key: string, about: string, lookUp: () => Promise<unknown>): Promise<unknown> {
    const { changes } = this.#cache;
    const cached = this.#answers.get(key);
    if (cached !== undefined && this.#isValid(cached)) return cached.answer;
    const answer = lookUp();
    this.#answers.set(key, { answer, place: changes.placeOf(about), since: changes.now });
    answer.catch(() => changes.note(this.#table));
    return answer;
  }

  #isValid({ place, since }: CachedAnswer): boolean {
    const { changes } = this.#cache;
    return changes.isUnchanged(this.#place, since) && changes.isUnchanged(place, since);
  }
}
