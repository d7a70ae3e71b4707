import type { AskedTry, Attempts, StoredThrottleState, Users } from '../store.ts';
import type { InvalidationCounters } from './invalidation-counters.ts';
import type { ReadCache } from './read-cache.ts';
import type { TwoGenerationCache } from './two-generation-cache.ts';

/** A standing, with the counts of changes that it rests on and what they told when it was read. */
class ReadStanding implements StoredThrottleState {
  readonly user;
  readonly counters;
  readonly familiarSince;
  readonly counts: readonly number[];
  readonly told: number;

  constructor(
    { user, counters, familiarSince }: StoredThrottleState,
    counts: readonly number[],
    told: number,
  ) {
    this.user = user;
    this.counters = counters;
    this.familiarSince = familiarSince;
    this.counts = counts;
    this.told = told;
  }
}

/** How tries stand that were asked about lately: while one holds it is told without a look-up, soonest to who knows it already. */
export class ThrottleStateCache {
  readonly #lookUp: (asked: AskedTry) => StoredThrottleState;
  readonly #changes: InvalidationCounters;
  readonly #byPair: TwoGenerationCache<string, ReadStanding>;

  constructor(recent: ReadCache, lookUp: (asked: AskedTry) => StoredThrottleState) {
    this.#lookUp = lookUp;
    this.#changes = recent.changes();
    this.#byPair = recent.shelf();
  }

  /** The standing as the last commit left it. */
  find(asked: AskedTry, known?: StoredThrottleState): StoredThrottleState {
    if (known instanceof ReadStanding && this.#holds(known)) return known;
    const { keys, userKey } = asked;
    // Who cannot be anybody has the keys of somebody, perhaps.
    if (userKey === undefined) return this.#lookUp(asked);
    const kept = this.#byPair.get(keys.pair);
    if (kept !== undefined && this.#holds(kept)) return kept;
    const standing = this.#lookUp(asked);
    const restsOn = [...Object.values(keys), standing.user?.id ?? userKey];
    const counts = restsOn.map((key) => this.#changes.countOf(key));
    const read = new ReadStanding(standing, counts, this.#changes.under(counts));
    this.#byPair.set(keys.pair, read);
    return read;
  }

  /** Notes that no standing may hold any more: then none is worth its memory. */
  #noteAll(): void {
    this.#changes.note();
    this.#byPair.note();
  }

  #holds({ counts, told }: ReadStanding): boolean {
    return this.#changes.under(counts) === told;
  }

  /** The counters and familiar addresses of a unit that writes, whose changes are noted here. */
  writing(attempts: Attempts): Attempts {
    return {
      standing: attempts.standing,
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

  /** The users of a unit that writes, whose changes are noted here. */
  writingUsers(users: Users): Users {
    return {
      ...users,
      add: (user) => {
        this.#changes.note(user.key);
        return users.add(user);
      },
      change: (id, change) => {
        this.#changes.note(id);
        return users.change(id, change);
      },
      remove: (id) => {
        this.#changes.note(id);
        return users.remove(id);
      },
    };
  }
}
