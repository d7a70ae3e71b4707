import type { Digest, HeldTicket } from '../../core/domain/ticket.ts';
import type {
  Attempts,
  LoginAttempt,
  StoredThrottleState,
  Tickets,
  Users,
} from '../../core/storage/store.ts';
import type { CachedMethods } from '../sql/statement.ts';
import type { InvalidationCounters, ReadCache, TwoGenerationCache } from './read-cache.ts';

/** A ticket with its user as they were read, and the count of the user's counter at that time. */
interface CachedTicket {
  readonly heldTicket: HeldTicket;
  readonly index: number;
  readonly count: number;
}

/** Caches the tickets that were looked up lately, each with its user. */
export class TicketCache {
  readonly #lookUp: (digest: Digest) => HeldTicket | undefined;
  readonly #tickets: TwoGenerationCache<Digest, CachedTicket>;
  readonly #users: InvalidationCounters;

  constructor(cache: ReadCache, lookUp: (digest: Digest) => HeldTicket | undefined) {
    this.#lookUp = lookUp;
    this.#tickets = cache.entries();
    this.#users = cache.counters();
  }

  /** The ticket as the last commit left it. */
  find(digest: Digest): HeldTicket | undefined {
    const cached = this.#tickets.get(digest);
    if (cached !== undefined && this.#users.countAt(cached.index) === cached.count) return cached.heldTicket;
    const heldTicket = this.#lookUp(digest);
    if (heldTicket === undefined) return undefined;
    const index = this.#users.indexOf(heldTicket.user.id);
    this.#tickets.set(digest, { heldTicket, index, count: this.#users.countAt(index) });
    return heldTicket;
  }

  /** Notes that a write unit changes this user. */
  noteUser(id: number): void {
    this.#users.note(id);
  }

  /** The tickets of a write unit, which notes here what it changes. */
  writing(tickets: Tickets): Tickets {
    return {
      ...tickets,
      end: (digest) => {
        this.#tickets.note(digest);
        return tickets.end(digest);
      },
      use: (digest, at) => {
        this.#tickets.note(digest);
        return tickets.use(digest, at);
      },
      moveToGeneration: (digest, userGeneration) => {
        this.#tickets.note(digest);
        return tickets.moveToGeneration(digest, userGeneration);
      },
      raiseServerGeneration: () => {
        this.#tickets.note();
        return tickets.raiseServerGeneration();
      },
    };
  }
}

/** A state, with the indexes of the counters that it depends on and their sum when it was read. */
class CachedThrottleState implements StoredThrottleState {
  readonly user;
  readonly counters;
  readonly familiarSince;
  readonly indexes: readonly number[];
  readonly sum: number;

  constructor(
    { user, counters, familiarSince }: StoredThrottleState,
    indexes: readonly number[],
    sum: number,
  ) {
    this.user = user;
    this.counters = counters;
    this.familiarSince = familiarSince;
    this.indexes = indexes;
    this.sum = sum;
  }
}

/** Caches the throttle states that were asked for lately. A caller that still has the last one needs no look-up at all. */
export class ThrottleStateCache {
  readonly #lookUp: (attempt: LoginAttempt) => StoredThrottleState;
  readonly #changes: InvalidationCounters;
  readonly #byPair: TwoGenerationCache<string, CachedThrottleState>;

  constructor(cache: ReadCache, lookUp: (attempt: LoginAttempt) => StoredThrottleState) {
    this.#lookUp = lookUp;
    this.#changes = cache.counters();
    this.#byPair = cache.entries();
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
    const dependsOn = [...Object.values(keys), state.user?.id ?? userKey];
    const indexes = dependsOn.map((key) => this.#changes.indexOf(key));
    const read = new CachedThrottleState(state, indexes, this.#changes.sumOf(indexes));
    this.#byPair.set(keys.pair, read);
    return read;
  }

  #isValid({ indexes, sum }: CachedThrottleState): boolean {
    return this.#changes.sumOf(indexes) === sum;
  }

  /** Notes that a write unit changes this user, or adds one of this key. */
  noteUser(idOrKey: number | string): void {
    this.#changes.note(idOrKey);
  }

  /** Notes that no state may be valid any more, and frees the memory of all of them. */
  #noteAll(): void {
    this.#changes.note();
    this.#byPair.note();
  }

  /** The counters and familiar addresses of a write unit, which notes here what it changes. */
  writing(attempts: Attempts): Attempts {
    return {
      throttleState: attempts.throttleState,
      put: (key, name, counter) => {
        this.#changes.note(key);
        return attempts.put(key, name, counter);
      },
      remove: (key) => {
        this.#changes.note(key);
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
        this.#changes.note(userId);
        return attempts.setFamiliar(userId, address, at);
      },
      forgetFamiliar: (userId, address) => {
        this.#changes.note(userId);
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

/** The users of a write unit, which notes in both caches whom it changes. */
export function writingUsers(users: Users, tickets: TicketCache, throttleStates: ThrottleStateCache): Users {
  const note = (id: number) => {
    tickets.noteUser(id);
    throttleStates.noteUser(id);
  };
  return {
    ...users,
    add: (user) => {
      throttleStates.noteUser(user.key);
      return users.add(user);
    },
    change: (id, change) => {
      note(id);
      return users.change(id, change);
    },
    rename: (id, name, key) => {
      note(id);
      throttleStates.noteUser(key);
      return users.rename(id, name, key);
    },
    remove: (id) => {
      note(id);
      return users.remove(id);
    },
  };
}

/** A key for a question about these texts. The lengths keep it different from that of any others. */
const keyOf = (question: string, ...texts: readonly string[]) =>
  texts.reduce((key, text) => `${key}${text.length} ${text}`, question);

type Method = (...values: readonly (string | readonly string[])[]) => Promise<unknown>;
type Methods = Readonly<Record<string, Method>>;

/** Caches the answers of a table that were looked up lately. A change of any of its rows invalidates all. */
export class AnswerCache {
  readonly #answers: TwoGenerationCache<string, Promise<unknown>>;
  readonly #cached: CachedMethods;

  constructor(cache: ReadCache, cached: CachedMethods) {
    this.#answers = cache.entries();
    this.#cached = cached;
  }

  /** The table of a read unit, as the last commit left it. */
  reading(table: object): object {
    return this.#replaced(table, this.#cached.reads, (name, method) => (...values) => {
      const key = keyOf(name, ...values.flat());
      return this.#read(key, () => method(...values));
    });
  }

  /** The table of a write unit, which notes here that it changes rows. */
  writing(table: object): object {
    return this.#replaced(table, this.#cached.changes, (_, method) => (...values) => {
      this.#answers.note();
      return method(...values);
    });
  }

  #replaced(table: object, names: readonly string[], by: (name: string, method: Method) => Method): object {
    const methods = table as Methods;
    const replaced = names.map((name) => [name, by(name, methods[name] as Method)]);
    return { ...table, ...Object.fromEntries(replaced) };
  }

  /** The cached answer, or the one that `lookUp` gives: it has to read before it returns. */
  #read(key: string, lookUp: () => Promise<unknown>): Promise<unknown> {
    const cached = this.#answers.get(key);
    if (cached !== undefined) return cached;
    const answer = lookUp();
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.clear());
    return answer;
  }
}
