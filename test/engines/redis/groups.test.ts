import assert from 'node:assert/strict';
import { type Group, newGroup } from '../../../src/core/domain/group.ts';
import {
  type ReadUnit,
  type Store,
  StoreUnavailable,
  type WriteUnit,
} from '../../../src/core/storage/store.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { testsOnRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

type Context = Parameters<Parameters<typeof test>[1]>;

/** A database that counts how often it is asked for the groups of a user, and can fail around a commit. */
class Counting implements Store {
  readonly #store: Store;
  asked = 0;
  fails: 'at the commit' | 'after the commit' | undefined;
  /** Holds an answer back until this is over. */
  hold: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  read: Store['read'] = (work) => this.#store.read((unit) => work({ ...unit, groups: this.#counting(unit) }));

  write: Store['write'] = async (work) => {
    const { fails } = this;
    this.fails = undefined;
    const value = await this.#store.write(async (unit) => {
      const done = await work(unit);
      if (fails === 'at the commit') throw new StoreUnavailable('failed at the commit');
      return done;
    });
    if (fails === 'after the commit') throw new StoreUnavailable('failed after the commit');
    return value;
  };

  close(): Promise<void> {
    return this.#store.close();
  }

  #counting({ groups }: ReadUnit): ReadUnit['groups'] {
    return {
      ...groups,
      ofUser: async (userId) => {
        this.asked += 1;
        const found = await groups.ofUser(userId);
        await this.hold;
        return found;
      },
    };
  }
}

/** Two instances over one database, with a user in `inner`, which is in `outer`. */
async function opened(t: Context[0], redis: Context[1]) {
  const below = new Counting(openSqlite(await temporaryFolder(t)));
  const [one, other] = [
    await openUntilEnd(t, redis.url, { below }),
    await openUntilEnd(t, redis.url, { below }),
  ];
  const ada = await addUser(one, 'ada');
  const [inner, outer] = await one.write(async ({ groups }) => {
    const inner = (await groups.add(
      newGroup('inner', { displayName: 'Inner "1"', role: 'auditor' }),
    )) as Group;
    const outer = (await groups.add(newGroup('Outer'))) as Group;
    await groups.addUser(inner.id, ada.id);
    await groups.addGroup(outer.id, inner.id);
    return [inner, outer] as const;
  });
  const groupsAt = (store: Store) => store.read((unit) => unit.groups.ofUser(ada.id));
  const namesAt = async (store: Store) => (await groupsAt(store)).map(({ displayName }) => displayName);
  /** Asks until Redis has the groups. */
  const cache = () =>
    until('the groups are cached', async () => {
      const before = below.asked;
      await groupsAt(one);
      return below.asked === before;
    });
  return { below, one, other, ada, inner, outer, groupsAt, namesAt, cache };
}

test('groups that are cached are those of the database, and the database is not asked again', async (t, redis) => {
  const { below, other, inner, outer, groupsAt, cache } = await opened(t, redis);
  await cache();
  const before = below.asked;
  assert.deepEqual(await groupsAt(other), [
    { ...inner, direct: true, root: false },
    { ...outer, direct: false, root: true },
  ]);
  assert.equal(below.asked, before);
});

test('groups of a user in none are cached too', async (t, redis) => {
  const { below, one, other } = await opened(t, redis);
  const ben = await addUser(one, 'ben');
  const asked = (store: Store) => store.read((unit) => unit.groups.ofUser(ben.id));
  await until('the groups are cached', async () => {
    const before = below.asked;
    assert.deepEqual(await asked(one), []);
    return below.asked === before;
  });
  assert.deepEqual(await asked(other), []);
});

type Ids = Readonly<Record<'ada' | 'inner' | 'outer', number>>;

/** Each change, and the display names of the groups after it. */
const CHANGES: Readonly<
  Record<string, readonly [(unit: WriteUnit, ids: Ids) => Promise<unknown>, readonly string[]]>
> = {
  'a membership that is taken away': [({ groups }, { ada, inner }) => groups.removeUser(inner, ada), []],
  'a group that leaves another': [
    ({ groups }, { inner, outer }) => groups.removeGroup(outer, inner),
    ['Inner "1"'],
  ],
  'a removed group': [({ groups }, { inner }) => groups.remove(inner), []],
  'a changed group': [
    ({ groups }, { outer }) => groups.change(outer, { displayName: 'New' }),
    ['Inner "1"', 'New'],
  ],
  'a removed user': [({ users }, { ada }) => users.remove(ada), []],
  'a new membership in a new group': [
    async ({ groups }, { ada }) => groups.addUser((await groups.add(newGroup('zoo')))?.id ?? 0, ada),
    ['Inner "1"', 'Outer', 'zoo'],
  ],
  'a group that enters another': [
    async ({ groups }, { inner }) => groups.addGroup((await groups.add(newGroup('zoo')))?.id ?? 0, inner),
    ['Inner "1"', 'Outer', 'zoo'],
  ],
};

for (const [what, [change, after]] of Object.entries(CHANGES)) {
  test(`${what} is seen by the next request on every instance`, async (t, redis) => {
    const { one, other, ada, inner, outer, namesAt, cache } = await opened(t, redis);
    await cache();
    await one.write((unit) => change(unit, { ada: ada.id, inner: inner.id, outer: outer.id }));
    assert.deepEqual(await namesAt(other), after);
    assert.deepEqual(await namesAt(one), after);
  });

  // One for each way in which a unit notes what it changes: a mark takes a second to be repaired.
  if (!/^a (membership|group that leaves|removed user)/.test(what)) continue;
  test(`${what} holds if it was committed, and not if it was not, whoever died`, async (t, redis) => {
    const { below, one, other, ada, inner, outer, namesAt, cache } = await opened(t, redis);
    await cache();
    const before = await namesAt(other);
    for (const [fails, now] of [
      ['at the commit', before],
      ['after the commit', after],
    ] as const) {
      below.fails = fails;
      const ids = { ada: ada.id, inner: inner.id, outer: outer.id };
      await assert.rejects(
        one.write((unit) => change(unit, ids)),
        StoreUnavailable,
      );
      assert.deepEqual(await namesAt(other), now, fails);
      assert.deepEqual(await namesAt(one), now, fails);
    }
  });
}

test('a mark that a dead unit left is repaired, and the groups are cached again', async (t, redis) => {
  const { below, one, ada, inner, namesAt, cache } = await opened(t, redis);
  below.fails = 'after the commit';
  await assert.rejects(one.write(({ groups }) => groups.removeUser(inner.id, ada.id)));
  await cache();
  assert.deepEqual(await namesAt(one), []);
});

test('what a slow reader read before a change is never given to anybody after it', async (t, redis) => {
  const { below, one, other, ada, inner, namesAt } = await opened(t, redis);
  const held = Promise.withResolvers<void>();
  below.hold = held.promise;
  const before = below.asked;
  const slow = namesAt(other);
  await until('the database was asked', async () => below.asked > before);
  await one.write(({ groups }) => groups.removeUser(inner.id, ada.id));
  below.hold = undefined;
  held.resolve();
  assert.deepEqual(await slow, ['Inner "1"', 'Outer']);
  for (let round = 0; round < 5; round += 1)
    for (const store of [one, other]) assert.deepEqual(await namesAt(store), []);
});

test('a part of a unit that failed alone leaves what is cached', async (t, redis) => {
  const { below, one, ada, inner, namesAt, cache } = await opened(t, redis);
  await cache();
  const before = below.asked;
  await one.write(async (unit) => {
    const fault = await unit.aside(async () => {
      await unit.groups.removeUser(inner.id, ada.id);
      throw new Error('taken back');
    });
    assert.ok(fault);
  });
  assert.deepEqual(await namesAt(one), ['Inner "1"', 'Outer']);
  assert.equal(below.asked, before);
});
