import assert from 'node:assert/strict';
import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import { holderOf } from '../../../src/core/domain/user.ts';
import { PostgresConnection } from '../../../src/engines/postgres/connection.ts';
import { targetOf } from '../../../src/engines/postgres/target.ts';
import { BatchedTicketLookup } from '../../../src/engines/postgres/tickets.ts';
import type { Reading } from '../../../src/engines/sql/statement.ts';
import { aDigest, addUser, aTicket, issue } from '../../core/storage/conformance/samples.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnPostgres();

test('tickets that are asked for together are found each for itself', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, ' ben  of\u0001 two\0 ')];
  const tickets = Array.from({ length: 700 }, (_, n) => aTicket(n, n % 2 === 0 ? ada : ben));
  await issue(store, ...tickets);
  const asked = Array.from({ length: 2_000 }, (_, n) => (n * 7) % 800);
  const found = await Promise.all(asked.map((n) => store.read((unit) => unit.tickets.find(aDigest(n)))));
  for (const [place, n] of asked.entries()) {
    const expected =
      n < 700
        ? { ticket: tickets[n], user: holderOf(n % 2 === 0 ? ada : ben), serverGeneration: 0 }
        : undefined;
    assert.deepEqual(found[place], expected);
  }
  const alone = await store.read((unit) => unit.tickets.find(aDigest(1)));
  assert.deepEqual(alone, found[asked.indexOf(1)]);
});

test('a ticket is not found by a look-up that begins after its end was acknowledged, among many that ask', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema());
  const ada = await addUser(store, 'ada');
  let going = true;
  const others = Array.from({ length: 30 }, async () => {
    while (going) await store.read((unit) => unit.tickets.find(aDigest(1)));
  });
  for (let n = 0; n < 30; n++) {
    await issue(store, aTicket(n, ada));
    assert.ok(await store.read((unit) => unit.tickets.find(aDigest(n))));
    await store.write((unit) => unit.tickets.end(aDigest(n)));
    assert.equal(await store.read((unit) => unit.tickets.find(aDigest(n))), undefined);
  }
  going = false;
  await Promise.all(others);
});

test('look-ups of one turn are one statement, and those that come meanwhile share the next', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url);
  await issue(store, aTicket(1, await addUser(store, 'ada')));
  const target = targetOf(url);
  const connection = new PostgresConnection({ name: '127.0.0.1', port: server.port }, target, 0);
  await connection.connect();
  t.after(() => connection.close());
  let statements = 0;
  const counting: Reading = {
    rows(...asked) {
      statements += 1;
      return connection.rows(...asked);
    },
  };
  const finds = new BatchedTicketLookup(counting, 1);
  const together = Array.from({ length: 200 }, () => finds.find(aDigest(1)));
  while (statements === 0) await turnOfTheEventLoop();
  const meanwhile = Array.from({ length: 200 }, () => finds.find(aDigest(1)));
  const found = await Promise.all([...together, ...meanwhile]);
  assert.equal(statements, 2);
  assert.ok(found.every((held) => held !== undefined));
});

test('more look-ups than one statement takes do not wait for its answer', async () => {
  let statements = 0;
  const silent: Reading = {
    rows() {
      statements += 1;
      return new Promise(() => {});
    },
  };
  const finds = new BatchedTicketLookup(silent, 2);
  for (let n = 0; n < 300; n++) void finds.find(aDigest(n));
  for (let turn = 0; turn < 10; turn++) await turnOfTheEventLoop();
  assert.equal(statements, 2);
});
