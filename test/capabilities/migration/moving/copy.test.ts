import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { type Copied, CopyDiffers, copyStore } from '../../../../src/capabilities/migration/moving/copy.ts';
import { PARTS, type TransferTable } from '../../../../src/core/storage/transfer.ts';
import type { TransferSource, TransferTarget } from '../../../../src/core/storage/transfer-sides.ts';
import { addUser, aTicket, issue, NOW } from '../../../core/storage/conformance/samples.ts';
import { Postgres, whyNoPostgres } from '../../../service/postgres.ts';
import { aUserRow, everythingOn, fill, ODD_NAMES, whyRefused } from './filling.ts';
import { postgresPlace, sqlitePlace, type TestPlace } from './places.ts';

const why = whyNoPostgres();
const server = why === undefined ? await Postgres.start() : undefined;
after(() => server?.remove());
const onSqlite = sqlitePlace;
const onPostgres = (t: TestContext) => postgresPlace(t, server as Postgres);

type MakePlace = (t: TestContext) => Promise<TestPlace>;
const WAYS: readonly (readonly [name: string, from: MakePlace, to: MakePlace])[] = [
  ['SQLite to SQLite', onSqlite, onSqlite],
  ...(server === undefined
    ? []
    : ([
        ['SQLite to PostgreSQL', onSqlite, onPostgres],
        ['PostgreSQL to SQLite', onPostgres, onSqlite],
        ['PostgreSQL to PostgreSQL', onPostgres, onPostgres],
      ] as const)),
];
if (why !== undefined) test('from and to PostgreSQL', (t) => t.skip(why));

/** One pass of the copy. Both sides are closed afterwards. */
async function pass(
  from: TestPlace,
  to: TestPlace,
  meanwhile?: (target: TransferTarget, source: TransferSource) => Promise<unknown>,
): Promise<Copied> {
  const source = await from.source();
  try {
    const target = await to.target(source);
    try {
      await meanwhile?.(target, source);
      return await copyStore(source, target, () => undefined);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

for (const [name, makeFrom, makeTo] of WAYS) {
  test(`${name}: everything arrives, and nothing else is there`, async (t) => {
    const [from, to] = [await makeFrom(t), await makeTo(t)];
    const store = await from.open();
    const ada = await fill(store);
    await store.close();
    const { rows } = await pass(from, to);
    assert.equal(rows.get('users'), 3);
    assert.equal(rows.get('tickets'), 7);
    const [source, copy] = [await from.source(), await to.source()];
    assert.deepEqual(await everythingOn(copy), await everythingOn(source));
    const lastIds = await source.lastIds();
    assert.deepEqual(await copy.lastIds(), lastIds);
    await copy.close();
    const moved = await to.open();
    const held = await moved.read((unit) => unit.tickets.find(aTicket(1, ada).digest));
    assert.deepEqual(held?.ticket, aTicket(1, ada, { usedAt: NOW + 1, serverGeneration: 1 }));
    assert.equal(held?.serverGeneration, 1);
    assert.deepEqual(await moved.read((unit) => unit.users.find(ada.id)), ada);
    const odd = await moved.read((unit) => unit.nodes.children('workspace://SpacesStore', 'company-home'));
    assert.deepEqual(
      odd
        .map((node) => node.name)
        .filter((one) => ODD_NAMES.includes(one))
        .sort(),
      ODD_NAMES.toSorted(),
    );
    assert.ok((await addUser(moved, 'new')).id > lastIds.users);
  });

  test(`${name}: a copy of what is in use is not finished, and a second pass copies what changed`, async (t) => {
    const [from, to] = [await makeFrom(t), await makeTo(t)];
    const store = await from.open();
    const ada = await fill(store);
    await pass(from, to);
    assert.match(await whyRefused(() => to.target({ identity: 'x', label: 'x' })), /half-done copy/);
    await store.write(async ({ users, tickets, attempts, nodes }) => {
      await tickets.end(aTicket(2, ada).digest);
      await tickets.use(aTicket(3, ada).digest, NOW + 99);
      await users.change(ada.id, { generation: 9 });
      await attempts.forgetFamiliar(ada.id, '192.0.2.10');
      // Two nodes swap their names.
      const [one, two] = ODD_NAMES as [string, string];
      const at = { store: 'workspace://SpacesStore', type: 'cm:folder', parent: 'company-home' };
      await nodes.put({ ...at, id: one, name: 'for a moment' });
      await nodes.put({ ...at, id: two, name: one });
      await nodes.put({ ...at, id: one, name: two });
    });
    await issue(store, aTicket(8, ada));
    await store.close();
    const { changed } = await pass(from, to);
    assert.ok(changed > 0 && changed < 20, `${changed} rows`);
    const [source, copy] = [await from.source(), await to.source()];
    assert.deepEqual(await everythingOn(copy), await everythingOn(source));
  });

  test(`${name}: a user that has another id than in an earlier pass is copied with it`, async (t) => {
    const [from, to] = [await makeFrom(t), await makeTo(t)];
    const store = await from.open();
    await fill(store);
    await store.close();
    const [users] = PARTS.filter((part) => part.name === 'users') as [TransferTable];
    await pass(from, to, (target) => target.change(users, [], [aUserRow(99, 'ada')]));
    const [source, copy] = [await from.source(), await to.source()];
    assert.deepEqual(await everythingOn(copy), await everythingOn(source));
  });
}

test('rows that are gone since an earlier pass count among those that had to be removed', async (t) => {
  const [from, to] = [await sqlitePlace(t), await sqlitePlace(t)];
  const store = await from.open();
  const ada = await fill(store);
  await pass(from, to);
  await store.write(async ({ tickets, nodes }) => {
    await tickets.end(aTicket(2, ada).digest);
    await nodes.remove('archive://Store', 'root');
  });
  await store.close();
  assert.equal((await pass(from, to)).changed, 2);
});

test('rows that somebody else writes into a copy are taken away, and what comes meanwhile is told', async (t) => {
  const [from, to] = [await sqlitePlace(t), await sqlitePlace(t)];
  const store = await from.open();
  await fill(store);
  await store.close();
  const stranger = aUserRow(99, 'eve');
  const usersOf = (target: TransferTarget, after: number) => {
    let pages = 0;
    const { page } = target;
    Object.assign(target, {
      page: async (...asked: Parameters<typeof page>) => {
        if (asked[0].name === 'users' && ++pages === after) await target.change(asked[0], [], [stranger]);
        return page(...asked);
      },
    });
  };
  await assert.rejects(
    pass(from, to, async (target) => usersOf(target, 3)),
    (error) =>
      error instanceof CopyDiffers && /users differ after copying, 3 rows against 4/.test(error.message),
  );
  await pass(from, to);
  const copy = await to.source();
  assert.equal((await everythingOn(copy)).users?.length, 3);
});
