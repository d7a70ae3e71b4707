import type { MaybePromise } from '../../src/core/maybe-promise.ts';
import type { ReadUnit, Store, Tickets, Users, WriteUnit } from '../../src/core/storage/store.ts';

/** Puts a fault between an instance and its store. */
export type Plant = (store: Store) => Store;

/** The same object but for these members. */
function but<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const member = Reflect.get(name in members ? members : target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

interface Faulty {
  readonly reading?: (unit: ReadUnit) => ReadUnit;
  readonly writing?: (unit: WriteUnit) => WriteUnit;
}

const storeWith = (store: Store, { reading, writing }: Faulty): Store => ({
  read: (work) => store.read(reading === undefined ? work : (unit) => work(reading(unit))),
  write: (work) => store.write(writing === undefined ? work : (unit) => work(writing(unit))),
  close: () => store.close(),
});

/** Each instance has a cache of tickets, and is told of every commit when the next one comes. */
function lateCache(): Plant {
  let commits = 0;
  return (store) => {
    const cache = new Map<string, { readonly found: MaybePromise<unknown>; readonly commits: number }>();
    const find = (tickets: ReadUnit['tickets']): ReadUnit['tickets']['find'] => {
      return (digest) => {
        const cached = cache.get(digest);
        const found =
          cached !== undefined && commits <= cached.commits + 1 ? cached.found : tickets.find(digest);
        if (found !== cached?.found) cache.set(digest, { found, commits });
        return found as ReturnType<typeof tickets.find>;
      };
    };
    const reading = (unit: ReadUnit) =>
      but(unit, { tickets: but(unit.tickets, { find: find(unit.tickets) }) });
    const counting = storeWith(store, { reading });
    return {
      ...counting,
      write: async (work) => {
        const value = await store.write(work);
        commits += 1;
        return value;
      },
    };
  };
}

/** A log-out is acknowledged, and its ticket stays. */
const swallowedEnd = (): Plant => (store) =>
  storeWith(store, {
    writing: (unit) => but(unit, { tickets: but<Tickets>(unit.tickets, { end: async () => true }) }),
  });

/** Whoever is disabled is enabled with the same generation, so the tickets come back. */
const forgottenGeneration = (): Plant => (store) =>
  storeWith(store, {
    writing: (unit) =>
      but(unit, {
        users: but<Users>(unit.users, {
          change: (id, { generation, ...change }) =>
            unit.users.change(
              id,
              change.disabled === undefined && generation !== undefined ? { ...change, generation } : change,
            ),
        }),
      }),
  });

/** Thrown to undo a write. */
class Lost extends Error {
  override name = 'Lost';
}

/** Every seventh write of an instance is acknowledged and lost. */
const lostWrite = (): Plant => (store) => {
  let writes = 0;
  return {
    ...storeWith(store, {}),
    async write<T>(work: (unit: WriteUnit) => Promise<T>): Promise<T> {
      writes += 1;
      if (writes % 7 !== 0) return store.write(work);
      const acknowledged = Promise.withResolvers<T>();
      const undone = store.write(async (unit) => {
        acknowledged.resolve(await work(unit));
        throw new Lost('planted');
      });
      await undone.catch((error) => {
        if (!(error instanceof Lost)) throw error;
      });
      return acknowledged.promise;
    },
  };
};

/** Of look-ups that follow each other, every fifth one gets the answer of the one before. */
const crossedAnswers = (): Plant => (store) => {
  let lookUps = 0;
  let last: ReturnType<ReadUnit['tickets']['find']>;
  const reading = (unit: ReadUnit) => {
    const find: ReadUnit['tickets']['find'] = (digest) => {
      lookUps += 1;
      const found = unit.tickets.find(digest);
      const answer = lookUps % 5 === 0 ? last : found;
      last = found;
      return answer;
    };
    return but(unit, { tickets: but(unit.tickets, { find }) });
  };
  return storeWith(store, { reading });
};

/** Faults to be found, by their names. */
export const PLANTED: Readonly<Record<string, () => Plant>> = {
  'late-cache': lateCache,
  'swallowed-end': swallowedEnd,
  'forgotten-generation': forgottenGeneration,
  'lost-write': lostWrite,
  'crossed-answers': crossedAnswers,
};
