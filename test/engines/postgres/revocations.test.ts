import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { bytesOf } from '../../../src/core/domain/ticket.ts';
import { emptiedCaches } from '../../../src/core/emptied-caches.ts';
import type { WriteUnit } from '../../../src/core/storage/store.ts';
import type { PostgresConnection } from '../../../src/engines/postgres/connection.ts';
import { onServer } from '../../../src/engines/postgres/servers.ts';
import { targetOf } from '../../../src/engines/postgres/target.ts';
import { aDigest, addUser, aTicket, issue, NOW } from '../../core/storage/conformance/samples.ts';
import { type Postgres, testsOnPostgres } from '../../service/postgres.ts';
import { eventually } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

/** Instances that learn of revocations only when a ticket is looked up. */
const UNWATCHED = { watchEvery: 3_600_000 };

/** Two instances on one database, and a ticket of ada's that both have looked up. */
async function looked(t: TestContext, server: Postgres) {
  const url = await server.freshSchema();
  const [one, other] = [await openUntilEnd(t, url, UNWATCHED), await openUntilEnd(t, url, UNWATCHED)];
  const ada = await addUser(one, 'ada');
  await issue(one, aTicket(1, ada));
  const findIn = async (store: typeof one) => store.read((unit) => unit.tickets.find(aDigest(1)));
  // The first question empties what was cached before it.
  for (const store of [one, other])
    for (let times = 1; times <= 3; times += 1) assert.ok(await findIn(store));
  return { url, one, other, ada, findIn };
}

/** How often caches were emptied for this reason. */
const emptied = (reason: string) => emptiedCaches().get(reason) as number;

/** A connection of another program to the same database, closed after the test. */
async function foreign(t: TestContext, url: string): Promise<PostgresConnection> {
  return onServer(targetOf(url), async (servers) => {
    const connection = await servers.connect();
    t.after(() => connection.close());
    return connection;
  });
}

test('a ticket that is looked up again is in memory, and nothing is read but what was revoked', async (t, server) => {
  const { one, findIn } = await looked(t, server);
  assert.equal(await findIn(one), await findIn(one), 'the very object');
});

/** Every change of the result of a look-up, but a later use. */
const CHANGES: Record<string, (unit: WriteUnit, userId: number) => Promise<unknown>> = {
  'ends the ticket': (unit) => unit.tickets.end(aDigest(1)),
  'moves it to the next generation': (unit) => unit.tickets.moveToGeneration(aDigest(1), 1),
  'raises the generation of the server': (unit) => unit.tickets.raiseServerGeneration(),
  'raises that of the user': (unit, id) => unit.users.change(id, { generation: 7 }),
  'disables the user': (unit, id) => unit.users.change(id, { disabled: true }),
  'locks the user': (unit, id) => unit.users.change(id, { lockedUntil: NOW }),
  'makes the user an administrator': (unit, id) => unit.users.change(id, { administrator: true }),
  'renames the user': (unit, id) => unit.users.rename(id, 'ben', 'ben'),
  'removes the user': (unit, id) => unit.users.remove(id),
};
for (const [what, change] of Object.entries(CHANGES)) {
  test(`a write unit that ${what} is seen by the next look-up of each instance`, async (t, server) => {
    const { one, other, ada, findIn } = await looked(t, server);
    const before = await findIn(one);
    await one.write((unit) => change(unit, ada.id));
    const after = await findIn(one);
    assert.notDeepEqual(after, before);
    assert.deepEqual(await findIn(other), after);
  });
}

/** What other programs and older versions do. */
const STATEMENTS = {
  'ends the ticket': 'DELETE FROM tickets',
  'takes a use back': 'UPDATE tickets SET used_at = used_at - 1',
  'gives the ticket another digest': "UPDATE tickets SET digest = decode(repeat('ab', 32), 'hex')",
  'empties the tickets': 'TRUNCATE tickets',
  'empties the users': 'TRUNCATE users CASCADE',
  'changes the user': 'UPDATE users SET generation = generation + 1',
  'raises the generation of the server': 'UPDATE server SET generation = generation + 1',
  'replays a log that ends the ticket':
    'BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM tickets; COMMIT',
};
for (const [what, statement] of Object.entries(STATEMENTS)) {
  test(`a program that ${what} is heard by the next look-up of each instance`, async (t, server) => {
    const { url, one, other, findIn } = await looked(t, server);
    const before = await findIn(one);
    await (await foreign(t, url)).text(statement);
    for (const store of [one, other]) assert.notDeepEqual(await findIn(store), before);
  });
}

test('a revocation counts when it is committed, however many began and ended after it', async (t, server) => {
  const { url, one, other, findIn } = await looked(t, server);
  const [slow, quick] = [await foreign(t, url), await foreign(t, url)];
  await slow.text('BEGIN; DELETE FROM tickets');
  for (let times = 1; times <= 3; times += 1) {
    await quick.text('SELECT pg_current_xact_id()');
    for (const store of [one, other]) assert.ok(await findIn(store));
  }
  await slow.text('COMMIT');
  for (const store of [one, other]) assert.equal(await findIn(store), undefined);
});

test('a revocation in a part of a transaction is heard once the whole is committed', async (t, server) => {
  const { url, one, other, findIn } = await looked(t, server);
  const program = await foreign(t, url);
  await program.text('BEGIN; SAVEPOINT a; DELETE FROM tickets; RELEASE a');
  assert.ok(await findIn(other));
  await program.text('COMMIT');
  for (const store of [one, other]) assert.equal(await findIn(store), undefined);
});

test('what is rolled back revokes nothing', async (t, server) => {
  const { url, one, findIn } = await looked(t, server);
  const before = await findIn(one);
  const program = await foreign(t, url);
  await program.text('BEGIN; DELETE FROM tickets; UPDATE server SET generation = 9');
  await findIn(one);
  await program.text('ROLLBACK');
  assert.equal(await findIn(one), before, 'the very object');
});

test('more revocations than one answer holds are all heard', async (t, server) => {
  const { one, other, ada, findIn } = await looked(t, server);
  const others = Array.from({ length: 1_500 }, (_, n) => aTicket(n + 2, ada));
  await issue(one, ...others);
  await one.write(async ({ tickets }) => {
    for (const { digest } of others) await tickets.end(digest);
    await tickets.end(aDigest(1));
  });
  const before = emptied('many');
  for (const store of [one, other]) assert.equal(await findIn(store), undefined);
  assert.equal(emptied('many'), before + 2);
});

test('a use that another instance wrote is read when the cached ticket does not pass', async (t, server) => {
  const { one, other } = await looked(t, server);
  await one.write(({ tickets }) => tickets.use(aDigest(1), NOW + 5_000));
  const isUsed = ({ ticket }: { ticket: { usedAt: number } }) => ticket.usedAt > NOW;
  const found = await other.read(({ tickets }) => tickets.find(aDigest(1), isUsed));
  assert.equal(found?.ticket.usedAt, NOW + 5_000);
});

test('a use of its own is read by the instance that wrote it', async (t, server) => {
  const { one, findIn } = await looked(t, server);
  await one.write(({ tickets }) => tickets.use(aDigest(1), NOW + 5_000));
  assert.equal((await findIn(one))?.ticket.usedAt, NOW + 5_000);
});

test('revocations are removed once they are old, and an instance that has missed them remembers nothing', async (t, server) => {
  const { url, one, other, ada, findIn } = await looked(t, server);
  const program = await foreign(t, url);
  const rows = async () => (await program.text('SELECT FROM revocations')).rowCount ?? 0;
  await one.write((unit) => unit.users.change(ada.id, { disabled: true }));
  assert.equal(await rows(), 1);
  const watching = { watchEvery: 20 };
  await openUntilEnd(t, url, watching);
  await program.text(
    "INSERT INTO revocation_floor VALUES (true, '0', '0', clock_timestamp()) ON CONFLICT DO NOTHING",
  );
  while ((await rows()) > 0) {
    await program.text("UPDATE revocation_floor SET noted_at = noted_at - interval '61 s'");
    await turn();
  }
  const before = emptied('behind');
  for (const store of [one, other]) assert.equal((await findIn(store))?.user.disabled, true);
  assert.ok(emptied('behind') >= before + 2);
});

test('revocations of another server, as a dump has them, are removed and hold nothing up', async (t, server) => {
  const { url, one, findIn } = await looked(t, server);
  const program = await foreign(t, url);
  await program.text(
    "INSERT INTO revocations VALUES ('9000000000', '*'); INSERT INTO revocation_floor VALUES (true, '9000000000', '9000000000', '2020-01-01') ON CONFLICT (single) DO UPDATE SET floor = excluded.floor, next = excluded.next, noted_at = excluded.noted_at",
  );
  assert.notEqual(await findIn(one), await findIn(one));
  await openUntilEnd(t, url, { watchEvery: 20 });
  while ((await program.text('SELECT FROM revocations')).rowCount !== 0) await turn();
  await findIn(one);
  assert.equal(await findIn(one), await findIn(one), 'the very object');
});

test('while the server refuses the question nothing is answered from memory', async (t, server) => {
  const { url, one, findIn } = await looked(t, server);
  await (await foreign(t, url)).text('ALTER TABLE revocations RENAME TO elsewhere');
  const before = emptied('fault');
  await assert.rejects(findIn(one), { name: 'error' });
  assert.equal(emptied('fault'), before + 1);
  await (await foreign(t, url)).text('ALTER TABLE elsewhere RENAME TO revocations');
  assert.ok(await findIn(one));
});

test('after its connection was cut an instance remembers nothing', async (t, server) => {
  const { url, one, ada, findIn } = await looked(t, server);
  const before = await findIn(one);
  const program = await foreign(t, url);
  // Neither triggers nor the table tell of this change: only who reads again sees it.
  await program.text(
    `BEGIN; ALTER TABLE users DISABLE TRIGGER user_changed; UPDATE users SET generation = 5 WHERE id = ${ada.id};
     ALTER TABLE users ENABLE ALWAYS TRIGGER user_changed; COMMIT`,
  );
  assert.equal(await findIn(one), before);
  // The instance finds another connection, or that its question failed on the one that was cut.
  const count = () => emptied('connection') + emptied('fault');
  const atFirst = count();
  await program.text('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  const after = await eventually(() => findIn(one));
  assert.equal(after?.user.generation, 5);
  assert.ok(count() > atFirst);
});

test('a ticket that ends while it is read for the first time is not cached as it was', async (t, server) => {
  const { url, one, ada } = await looked(t, server);
  const program = await foreign(t, url);
  for (let n = 10; n < 60; n += 1) {
    await issue(one, aTicket(n, ada));
    const reads = [1, 2, 3].map(() => one.read(({ tickets }) => tickets.find(aDigest(n))));
    const asking = one.read(({ tickets }) => tickets.find(aDigest(1)));
    await program.text(`DELETE FROM tickets WHERE digest = '\\x${bytesOf(aDigest(n)).toString('hex')}'`);
    assert.equal(await one.read(({ tickets }) => tickets.find(aDigest(n))), undefined);
    await Promise.all([...reads, asking]);
    assert.equal(await one.read(({ tickets }) => tickets.find(aDigest(n))), undefined);
  }
});
