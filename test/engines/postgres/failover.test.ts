import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { holderOf } from '../../../src/core/domain/user.ts';
import { aDigest, addUser, aTicket, aUser, issue } from '../../core/storage/conformance/samples.ts';
import { type Postgres, testsOnOwnPostgres } from '../../service/postgres.ts';
import { eventually } from '../../service/until.ts';
import { openUntilEnd, whyNotOpened } from './opened.ts';
import { lineTo } from './proxy.ts';

const UNAVAILABLE = { name: 'StoreUnavailable' };
const test = await testsOnOwnPostgres();

async function standbyOf(t: TestContext, primary: Postgres, name: string): Promise<Postgres> {
  const standby = await primary.standby(name);
  t.after(() => standby.remove());
  return standby;
}

/** One URL for the same database on several servers, in this order. */
function urlOver(database: string, ...servers: readonly Postgres[]): string {
  return `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`;
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

test('of several servers the writable one is found, wherever it stands, and a standby alone is refused', async (t, server) => {
  const standby = await standbyOf(t, server, 'second');
  const database = nameOf(await server.freshDatabase());
  for (const servers of [
    [server, standby],
    [standby, server],
  ]) {
    const store = await openUntilEnd(t, urlOver(database, ...servers));
    assert.notEqual(await store.read((unit) => unit.nodes.root('workspace://SpacesStore')), undefined);
  }
  // The database is there once the standby has replayed its making.
  await eventually(async () => assert.match(await whyNotOpened(standby.url(database)), /it is a standby/));
  const both = await whyNotOpened(
    `${urlOver(database, standby).replace(`/${database}`, '')},127.0.0.1:1/${database}`,
  );
  assert.match(both, /it is a standby; 127.0.0.1:1: nothing listens there/);
});

test('a promoted standby is found without a restart, has all that was acknowledged, and the old primary is not believed again', async (t, server) => {
  const standby = await standbyOf(t, server, 'second');
  const database = nameOf(await server.freshDatabase());
  const store = await openUntilEnd(t, urlOver(database, server, standby));
  const found = async () =>
    (await store.report()).findings.map(({ what, mend }) => `${what}: ${mend}`).join();
  assert.match(await found(), /no standby is synchronous: .*synchronous_standby_names$/);
  server.configure(`synchronous_standby_names = 'second'`, 'synchronous_commit = local');
  await server.reload();
  assert.match(await found(), /synchronous_commit is local: .*set it to on$/);
  server.configure('synchronous_commit = on');
  await server.reload();
  assert.doesNotMatch(await found(), /standby/);
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada), aTicket(2, ada));
  await store.write((unit) => unit.tickets.end(aDigest(2)));

  await server.stop('immediate');
  await assert.rejects(addUser(store, 'ben'), UNAVAILABLE);
  await standby.promote();
  const held = await eventually(() => store.read((unit) => unit.tickets.find(aDigest(1))));
  assert.deepEqual(held?.user, holderOf(ada));
  assert.equal(await store.read((unit) => unit.tickets.find(aDigest(2))), undefined);
  assert.equal((await eventually(() => addUser(store, 'eve'))).name, 'eve');

  await server.resume();
  await standby.stop('fast');
  await eventually(() =>
    assert.rejects(addUser(store, 'zoe'), {
      ...UNAVAILABLE,
      message: /a primary that was replaced: .*restart/,
    }),
  );
  await standby.resume();
  assert.equal((await eventually(() => addUser(store, 'zoe'))).name, 'zoe');
  server.configure(`synchronous_standby_names = ''`);
  await server.reload();
});

test('a standby that is promoted while the old primary lives on is found, and the old one is left', async (t, server) => {
  const standby = await standbyOf(t, server, 'second');
  const database = nameOf(await server.freshDatabase());
  await eventually(async () => assert.match(await whyNotOpened(standby.url(database)), /it is a standby/));
  const store = await openUntilEnd(t, urlOver(database, server, standby), { watchEvery: 200 });
  const ada = await addUser(store, 'ada');
  await eventually(async () => {
    assert.deepEqual(await standby.ask('SELECT name FROM users', standby.url(database)), [{ name: 'ada' }]);
  });
  await standby.promote();
  await standby.ask('UPDATE users SET disabled = true', standby.url(database));
  await eventually(async () => {
    assert.equal((await store.read((unit) => unit.users.find(ada.id)))?.disabled, true);
  });
  await addUser(store, 'ben');
  assert.equal((await server.ask('SELECT name FROM users', server.url(database))).length, 1);
});

test('statements that a primary left unanswered are given up once its standby is promoted, long before its deadline', async (t, server) => {
  const standby = await standbyOf(t, server, 'second');
  const url = await server.freshDatabase();
  const line = await lineTo(t, url);
  const over = `postgres://postgres@${new URL(line.url).host},127.0.0.1:${standby.port}/${nameOf(url)}`;
  const store = await openUntilEnd(t, over, { watchEvery: 200, statementDeadline: 60_000 });
  await addUser(store, 'ada');
  await eventually(async () => {
    assert.equal((await standby.ask('SELECT name FROM users', standby.url(nameOf(url)))).length, 1);
  });
  line.freeze();
  const asked = [store.read((unit) => unit.users.count()), addUser(store, 'ben')];
  const given = Promise.all(asked.map((answer) => assert.rejects(answer, UNAVAILABLE)));
  await standby.promote();
  const late = new AbortController();
  await Promise.race([given, pause(10_000, undefined, late).then(() => assert.fail('they still wait'))]);
  late.abort();
  assert.equal(await eventually(() => store.read((unit) => unit.users.count())), 1);
});

test('a store that is opened while a replaced primary answers sooner than the new one chooses the new one', async (t, server) => {
  const standby = await standbyOf(t, server, 'second');
  const url = await server.freshDatabase();
  await (await openUntilEnd(t, url)).write((unit) => unit.users.add(aUser('ada')));
  await eventually(async () => {
    assert.equal((await standby.ask('SELECT name FROM users', standby.url(nameOf(url)))).length, 1);
  });
  await standby.promote();
  await standby.ask(`UPDATE users SET name = 'new'`, standby.url(nameOf(url)));
  const slow = await lineTo(t, standby.url(nameOf(url)));
  slow.freeze();
  void pause(600).then(() => slow.thaw());
  const hosts = `127.0.0.1:${server.port},${new URL(slow.url).host}`;
  const store = await openUntilEnd(t, `postgres://postgres@${hosts}/${nameOf(url)}`);
  assert.deepEqual(
    (await store.read((unit) => unit.users.list())).map(({ name }) => name),
    ['new'],
  );
});
