import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { stateOf } from '../../../src/core/domain/ticket.ts';
import type { User } from '../../../src/core/domain/user.ts';
import type { Store } from '../../../src/core/storage/store.ts';
import { aDigest, addUser, aTicket, issue } from '../../core/storage/conformance/samples.ts';
import { Redis, whyNoRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { until } from '../../service/until.ts';
import { LIFETIME, openUntilEnd } from './opened.ts';
import { asUserOfPage } from './user-of-page.ts';

const skip = whyNoRedis() ?? false;

const NAMES = ['calm', 'loggedOut', 'disabled', 'removed', 'unlocked'] as const;

/** A ticket store over a Redis with these settings, and users with two tickets each: of the nth user 10n and 10n + 1. */
async function filled(t: TestContext, ...settings: string[]) {
  const redis = await Redis.start('--enable-debug-command', 'local', ...settings);
  t.after(() => redis.remove());
  const below = openSqlite(await temporaryFolder(t));
  const clock = { behind: 0 };
  const url = await asUserOfPage(redis.url, [redis]);
  const store = await openUntilEnd(t, url, { below, clock: () => Date.now() - clock.behind });
  const users: User[] = [];
  for (const name of NAMES) users.push(await addUser(store, name));
  const now = Date.now();
  for (const [n, user] of users.entries())
    await issue(
      store,
      ...[10 * n, 10 * n + 1].map((at) => aTicket(at, user, { issuedAt: now, usedAt: now })),
    );
  const state = async (n: number) => {
    const held = await store.read((unit) => unit.tickets.find(aDigest(n)));
    return held && stateOf(held, Date.now(), LIFETIME);
  };
  const resume = async () => {
    await redis.kill();
    await redis.resume();
    await asUserOfPage(redis.url, [redis]);
    await until('Redis answers again', async () => (await state(0)) === 'valid');
  };
  const states = async () => Promise.all(users.map((_, n) => state(10 * n)));
  const idOf = (name: (typeof NAMES)[number]) => users[NAMES.indexOf(name)]?.id as number;
  return { redis, store, below, users, state, states, idOf, clock, resume };
}

/** Logs one user out of one of two tickets, disables one and removes one. */
async function revoke(store: Store, idOf: (name: (typeof NAMES)[number]) => number): Promise<void> {
  await store.write((unit) => unit.tickets.end(aDigest(10)));
  await store.write((unit) => unit.users.change(idOf('disabled'), { disabled: true }));
  await store.write((unit) => unit.users.remove(idOf('removed')));
}

test('a Redis that comes back with its data of before revives no ticket and no user', { skip }, async (t) => {
  const { redis, store, states, state, idOf, resume } = await filled(t, '--appendonly', 'no');
  assert.deepEqual(await states(), Array(5).fill('valid'));
  await redis.ask(['SAVE']);
  await revoke(store, idOf);
  const ended = [undefined, 'invalid', undefined];
  assert.deepEqual((await states()).slice(1, 4), ended);
  await resume();
  assert.deepEqual(await states(), ['valid', 'invalid', 'invalid', undefined, 'valid']);
  const events = await store.read((unit) => unit.events.list({}));
  const told = events.filter(({ reason }) => reason === 'Redis has lost writes').map(({ user }) => user);
  assert.deepEqual(told.sort(), ['disabled', 'loggedOut']);
  const loggedOut = await store.read((unit) => unit.users.find(idOf('loggedOut')));
  assert.ok(loggedOut);
  await issue(store, aTicket(99, loggedOut, { issuedAt: Date.now(), usedAt: Date.now() }));
  assert.equal(await state(99), 'valid');
});

test('a Redis that logs each write ends no ticket by a restart', { skip }, async (t) => {
  const { store, states, state, idOf, resume } = await filled(t, '--appendfsync', 'always');
  await revoke(store, idOf);
  await resume();
  assert.deepEqual(await states(), ['valid', undefined, 'invalid', undefined, 'valid']);
  assert.equal(await state(11), 'valid', 'the other ticket of the user who logged out');
});

test('a Redis that goes back while it is connected is noticed, and revives nothing', { skip }, async (t) => {
  const { redis, store, states, state, idOf, clock } = await filled(t, '--appendonly', 'no');
  // As if the data that comes back were a minute old.
  clock.behind = 60_000;
  await redis.ask(['EVAL', "redis.call('DEL', KEYS[1])", '1', await beatKey(redis)]);
  await until('an old time is written', async () => {
    const beat = await beatOf(redis);
    return beat > 0 && beat < Date.now() - 50_000;
  });
  await redis.ask(['SAVE']);
  clock.behind = 0;
  await until('the time goes on', async () => (await beatOf(redis)) > Date.now() - 5_000);
  await revoke(store, idOf);
  await redis.ask(['DEBUG', 'RELOAD', 'NOSAVE']);
  await until('the ended ticket is dead again', async () => (await state(10)) === 'invalid');
  assert.deepEqual(await states(), ['valid', 'invalid', 'invalid', undefined, 'valid']);
});

const beatKey = (redis: Redis) => redis.ask(['EVAL', "return redis.call('KEYS', '*}b')[1]", '0']);
const beatOf = async (redis: Redis) =>
  Number.parseInt(
    await redis.ask(['EVAL', "return redis.call('GET', redis.call('KEYS', '*}b')[1] or 'x') or '0'", '0']),
    10,
  );

test('an emptied Redis revives no ticket, and takes new ones', { skip }, async (t) => {
  const { redis, store, states, state, idOf } = await filled(t);
  await revoke(store, idOf);
  await redis.ask(['FLUSHALL']);
  assert.deepEqual(await states(), Array(5).fill(undefined));
  await until('the time is written again', async () => (await beatOf(redis)) > 0);
  const calm = await store.read((unit) => unit.users.find(idOf('calm')));
  assert.ok(calm);
  const serverGeneration = await store.read((unit) => unit.tickets.serverGeneration());
  await issue(store, aTicket(98, calm, { issuedAt: Date.now(), usedAt: Date.now(), serverGeneration }));
  assert.equal(await state(98), 'valid');
  assert.deepEqual(await states(), Array(5).fill(undefined));
});

/** A database of which a unit stops between its work and its commit. */
function stoppingBeforeCommit(store: Store, stop: () => Promise<void>): Store {
  return {
    read: (work) => store.read(work),
    write: (work) =>
      store.write(async (unit) => {
        const done = await work(unit);
        await stop();
        return done;
      }),
    close: () => store.close(),
  };
}

test('a disabled user stays disabled if Redis loses the mark while the change is committed', {
  skip,
}, async (t) => {
  const redis = await Redis.start();
  t.after(() => redis.remove());
  let stop = async () => {};
  const below = stoppingBeforeCommit(openSqlite(await temporaryFolder(t)), () => stop());
  const store = await openUntilEnd(t, redis.url, { below });
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: Date.now(), usedAt: Date.now() }));
  const state = async () => {
    const held = await store.read((unit) => unit.tickets.find(aDigest(1)));
    return held && stateOf(held, Date.now(), LIFETIME);
  };
  const cached = (command: string) =>
    redis.ask(['EVAL', `return redis.call('${command}', redis.call('KEYS', '*}u${ada.id}')[1] or 'x')`, '0']);
  stop = async () => {
    await cached('DEL');
    assert.equal(await state(), 'valid');
    await until(
      'a reader has cached what was committed before',
      async () => (await cached('GET')) === '0 0 eu ada',
    );
  };
  await store.write((unit) => unit.users.change(ada.id, { disabled: true }));
  assert.equal(await state(), 'invalid');
});
