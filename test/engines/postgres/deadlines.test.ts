import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { addUser, aUser } from '../../core/storage/conformance/samples.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { eventually } from '../../service/until.ts';
import { hold } from './held.ts';
import { openUntilEnd, whyNotOpened } from './opened.ts';
import { lineTo } from './proxy.ts';

const test = await testsOnPostgres();

test('a statement that waits for longer than its deadline is StoreUnavailable, and the next one is answered', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url, { statementDeadline: 300 });
  await addUser(store, 'ada');
  const letGo = await hold(t, url, 'users');
  const slow = { name: 'StoreUnavailable', message: /took longer than its deadline/ };
  await assert.rejects(
    store.read((unit) => unit.users.count()),
    slow,
  );
  await assert.rejects(addUser(store, 'ben'), slow);
  await letGo();
  assert.equal((await addUser(store, 'ben')).name, 'ben');
  assert.equal(await store.read((unit) => unit.users.count()), 2);
});

test('a read behind one that waits for a lock is answered once that one is given up', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url, { statementDeadline: 2_000, readers: 1 });
  await hold(t, url, 'api_keys');
  const blocked = assert.rejects(
    store.read((unit) => unit.apiKeys.list()),
    { name: 'StoreUnavailable', message: /took longer than its deadline/ },
  );
  const behind = store.read((unit) => unit.users.count());
  await blocked;
  assert.equal(await behind, 0);
});

test('the wait of a unit for its connection counts against the deadline of its statements', async (t, server) => {
  const statementDeadline = 4_000;
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url, { writers: 1, statementDeadline, queueDeadline: 60_000 });
  await hold(t, url, 'users');
  const slow = { name: 'StoreUnavailable', message: /took longer than its deadline/ };
  const [first, second] = ['ada', 'ben'].map((name) => assert.rejects(addUser(store, name), slow));
  await first;
  const before = performance.now();
  await second;
  assert.ok(performance.now() - before < statementDeadline);
});

test('a slow statement aside is returned as its fault, and the unit goes on', async (t, server) => {
  const url = await server.freshSchema();
  const store = await openUntilEnd(t, url, { statementDeadline: 300 });
  const letGo = await hold(t, url, 'events');
  const fault = await store.write(async (unit) => {
    await unit.users.add(aUser('ada'));
    return unit.aside(() => unit.events.append({ at: 1, kind: 'user-added' }));
  });
  await letGo();
  assert.ok(fault instanceof Error);
  assert.match(fault.message, /took longer than its deadline/);
  assert.equal(await store.read((unit) => unit.users.count()), 1);
});

test('a unit that gets no connection in time is StoreUnavailable, and those before it are done', async (t, server) => {
  const store = await openUntilEnd(t, await server.freshSchema(), { writers: 1, queueDeadline: 200 });
  const release = Promise.withResolvers<void>();
  const first = store.write(async ({ users }) => {
    await users.add(aUser('ada'));
    await release.promise;
  });
  const late = ['ben', 'eve'].map((name) =>
    assert.rejects(addUser(store, name), { name: 'StoreUnavailable', message: /were taken for 200 ms/ }),
  );
  await Promise.all(late);
  release.resolve();
  await first;
  assert.equal((await addUser(store, 'zoe')).name, 'zoe');
  assert.equal(await store.read((unit) => unit.users.count()), 2);
});

test('a server that takes the connection and never answers is given up in time', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  silent.on('connection', (socket) => t.after(() => socket.destroy()));
  const { port } = silent.address() as { port: number };
  const url = `postgres://postgres@127.0.0.1:${port}/x`;
  assert.match(await whyNotOpened(url, { connectDeadline: 300 }), /does not answer in time/);
});

test('a connection that goes dead without being closed is given up in time, and made anew once it lives', async (t, server) => {
  const line = await lineTo(t, await server.freshSchema());
  const store = await openUntilEnd(t, line.url, { statementDeadline: 300, connectDeadline: 300 });
  await addUser(store, 'ada');
  line.freeze();
  const lost = { name: 'StoreUnavailable', message: /connection to the database was lost/ };
  await Promise.all([
    assert.rejects(
      store.read((unit) => unit.users.count()),
      lost,
    ),
    assert.rejects(addUser(store, 'ben'), { name: 'StoreUnavailable' }),
  ]);
  await assert.rejects(
    store.read((unit) => unit.users.count()),
    { message: /does not answer in time/ },
  );
  line.thaw();
  assert.equal(await eventually(() => store.read((unit) => unit.users.count())), 1);
  assert.equal((await eventually(() => addUser(store, 'eve'))).name, 'eve');
});

test('a connection that goes dead while idle is noticed before the next statement', async (t, server) => {
  const line = await lineTo(t, await server.freshSchema());
  const store = await openUntilEnd(t, line.url, { statementDeadline: 200, watchEvery: 100 });
  await addUser(store, 'ada');
  assert.equal(await store.read((unit) => unit.users.count()), 1);
  line.forget();
  // An attempt to connect is given up after three seconds.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  assert.equal(await store.read((unit) => unit.users.count()), 1);
  assert.equal((await addUser(store, 'ben')).name, 'ben');
});

test('a unit that stops in the middle does not hold what it locked for ever', async (t, server) => {
  const url = await server.freshSchema();
  const [stopped, other] = [
    await openUntilEnd(t, url, { statementDeadline: 200 }),
    await openUntilEnd(t, url),
  ];
  const ada = await addUser(other, 'ada');
  const holds = Promise.withResolvers<void>();
  const resume = Promise.withResolvers<void>();
  const unit = stopped.write(async ({ users }) => {
    await users.find(ada.id);
    holds.resolve();
    await resume.promise;
    await users.change(ada.id, { disabled: true });
  });
  await holds.promise;
  await other.write((writing) => writing.users.change(ada.id, { generation: 5 }));
  resume.resolve();
  await assert.rejects(unit, { name: 'StoreUnavailable' });
  const found = await other.read((reading) => reading.users.find(ada.id));
  assert.deepEqual(found, { ...ada, generation: 5 });
});
