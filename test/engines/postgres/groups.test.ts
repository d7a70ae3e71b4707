import assert from 'node:assert/strict';
import { newGroup } from '../../../src/core/domain/group.ts';
import type { WriteUnit } from '../../../src/core/storage/store.ts';
import { PostgresConnection } from '../../../src/engines/postgres/connection.ts';
import { targetOf } from '../../../src/engines/postgres/target.ts';
import { peopleRead } from '../../../src/engines/sql/people.ts';
import { GROUPS, ROLES_SQL } from '../../../src/engines/sql/people-sql.ts';
import type { Reading } from '../../../src/engines/sql/statement.ts';
import { addUser } from '../../core/storage/conformance/samples.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

test('the groups of a user, and its role, are one statement each, however deep the groups nest', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  const ada = await addUser(store, 'ada');
  await store.write(async ({ groups }) => {
    let inner: number | undefined;
    for (let depth = 0; depth < 10; depth += 1) {
      const outer = (await groups.add(newGroup(`g${depth}`)))?.id ?? 0;
      if (inner === undefined) await groups.addUser(outer, ada.id);
      else await groups.addGroup(outer, inner);
      inner = outer;
    }
    await groups.change(inner ?? 0, { role: 'operator' });
  });
  const connection = new PostgresConnection({ name: '127.0.0.1', port: server.port }, targetOf(url), 0);
  await connection.connect();
  t.after(() => connection.close());
  let statements = 0;
  const counting: Reading = {
    rows(...asked) {
      statements += 1;
      return connection.rows(...asked);
    },
  };
  const { groups, roles } = peopleRead(counting);
  assert.equal((await groups.ofUser(ada.id)).length, 10);
  assert.equal(statements, 1);
  assert.equal(await roles.of(ada.id), 'operator');
  assert.equal(statements, 2);
});

test('the groups of a user, and its role, are found without reading all groups, however many there are', async (t, server) => {
  const url = await server.freshSchema();
  await openUntilEnd(t, url);
  await server.ask(
    `INSERT INTO groups (id, key, name, display_name, role) SELECT n, n, n, n, '' FROM generate_series(1, 5000) AS n;
    INSERT INTO group_groups SELECT n / 10, n FROM generate_series(10, 5000) AS n;
    INSERT INTO group_users SELECT 1 + n % 5000, n FROM generate_series(1, 20000) AS n;
    ANALYZE groups, group_groups, group_users`,
    url,
  );
  for (const sql of [GROUPS.ofUser, ROLES_SQL.of]) {
    const steps = await server.ask(`PREPARE question (bigint) AS ${sql}; EXPLAIN EXECUTE question (7)`, url);
    const plan = steps.map((step) => step['QUERY PLAN']).join('\n');
    assert.match(plan, /Index/);
    assert.doesNotMatch(plan, /Seq Scan on group/, plan);
  }
});

/** What a unit does that other units which do one of these wait for. A cache relies on that. */
const WAITED_FOR: Readonly<
  Record<string, (unit: WriteUnit, group: number, user: number) => Promise<unknown>>
> = {
  'adds a member': ({ groups }, group, user) => groups.addUser(group, user),
  'changes a group': ({ groups }, group) => groups.change(group, { displayName: 'New' }),
  'looks what contains a group': ({ groups }) => groups.containing(0),
};

for (const [what, does] of Object.entries(WAITED_FOR)) {
  test(`while a unit ${what}, no other unit of any instance changes groups`, async (t, server) => {
    const url = await server.freshSchema();
    const [one, other] = [await openUntilEnd(t, url), await openUntilEnd(t, url)];
    const ada = await addUser(one, 'ada');
    const group = (await one.write(({ groups }) => groups.add(newGroup('staff'))))?.id ?? 0;
    const [done, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const order: string[] = [];
    const first = one.write(async (unit) => {
      await does(unit, group, ada.id);
      // What was sent has been done once another statement is answered.
      await unit.groups.find(group);
      done.resolve();
      await over.promise;
      order.push('first');
    });
    await done.promise;
    const second = other.write(async ({ groups }) => {
      await groups.removeUser(group, ada.id);
      order.push('second');
    });
    await until('the other unit waits', async () => {
      const [row] = await server.ask('SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted');
      return row?.waiting === 1;
    });
    over.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first', 'second']);
  });
}
