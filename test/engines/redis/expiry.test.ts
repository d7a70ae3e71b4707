import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Sweeper } from '../../../src/core/storage/sweep.ts';
import {
  aCounter,
  aDigest,
  addUser,
  aKey,
  aTicket,
  counterOf,
  issue,
  issueFrom,
} from '../../core/storage/conformance/samples.ts';
import { type Redis, testsOnRedis } from '../../service/redis.ts';
import { eventually } from '../../service/until.ts';
import { HOUR, LIFETIME, openUntilEnd } from './opened.ts';

const test = await testsOnRedis();
const GRACE = 10 * 60_000;

/** For how long Redis keeps its one ticket. */
async function keptFor(redis: Redis): Promise<number> {
  return Number(await redis.ask(['EVAL', "return redis.call('PTTL', redis.call('KEYS', '*}t*')[1])", '0']));
}

/** For how long Redis keeps its one ticket, and the origin of it. */
async function bothKeptFor(redis: Redis): Promise<number[]> {
  const told = await redis.ask([
    'EVAL',
    `local kept = {}
for _, key in ipairs(redis.call('KEYS', '*}t*')) do kept[#kept + 1] = redis.call('PTTL', key) end
return kept`,
    '0',
  ]);
  return told.split('\n').map(Number);
}

/** For how long Redis keeps each cached value of the database. */
async function factsKeptFor(redis: Redis): Promise<number[]> {
  const told = await redis.ask([
    'EVAL',
    `local kept = {}
for _, keys in ipairs({'tessera:{*}u*', 'tessera:{*}g'}) do
  for _, key in ipairs(redis.call('KEYS', keys)) do kept[#kept + 1] = redis.call('PTTL', key) end
end
return kept`,
    '0',
  ]);
  return told === '' ? [] : told.split('\n').map(Number);
}

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 60_000, `${actual} is not about ${expected}`);

test('Redis drops a ticket by itself some minutes after it has expired, and a use moves that', async (t, redis) => {
  const start = Date.now();
  let now = start;
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: now, usedAt: now }));
  near(await keptFor(redis), HOUR + GRACE);
  now += HOUR / 2;
  await store.write((unit) => unit.tickets.use(aDigest(1), now));
  near(await keptFor(redis), HOUR + GRACE);
  now = start + LIFETIME.age - HOUR / 4;
  await store.write((unit) => unit.tickets.use(aDigest(1), now));
  near(await keptFor(redis), HOUR / 4 + GRACE);
});

test('Redis keeps the origin of a ticket as long as the ticket, and drops it when the ticket ends', async (t, redis) => {
  const start = Date.now();
  let now = start;
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  const ada = await addUser(store, 'ada');
  const areNear = async (expected: number) => {
    const both = await bothKeptFor(redis);
    assert.equal(both.length, 2);
    for (const kept of both) near(kept, expected);
  };
  const origin = { from: '192.0.2.1', program: 'curl/8.5.0', appPassword: 'mail' };
  await issueFrom(store, origin, aTicket(1, ada, { issuedAt: now, usedAt: now }));
  await areNear(HOUR + GRACE);
  now = start + LIFETIME.age - HOUR / 4;
  await store.write((unit) => unit.tickets.use(aDigest(1), now));
  await areNear(HOUR / 4 + GRACE);
  await store.write((unit) => unit.tickets.end(aDigest(1)));
  assert.equal((await bothKeptFor(redis)).length, 1);
});

test('a look-up prolongs no ticket', async (t, redis) => {
  const now = Date.now();
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: now - HOUR / 2, usedAt: now - HOUR / 2 }));
  for (let round = 0; round < 3; round++) await store.read((unit) => unit.tickets.find(aDigest(1)));
  near(await keptFor(redis), HOUR / 2 + GRACE);
});

test('with limits that are off a ticket is kept for ever', async (t, redis) => {
  const never = { idle: Number.POSITIVE_INFINITY, age: Number.POSITIVE_INFINITY };
  const store = await openUntilEnd(t, redis.url, { lifetime: never });
  const ada = await addUser(store, 'ada');
  await issueFrom(store, { from: '192.0.2.1', program: undefined, appPassword: undefined }, aTicket(1, ada));
  assert.deepEqual(await bothKeptFor(redis), [-1, -1]);
  await store.write((unit) => unit.tickets.use(aDigest(1), Date.now()));
  assert.deepEqual(await bothKeptFor(redis), [-1, -1]);
});

test('Redis caches users and generations for an hour, looked up or changed', async (t, redis) => {
  const store = await openUntilEnd(t, redis.url);
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: Date.now(), usedAt: Date.now() }));
  const eachIsKeptForAnHour = (userCache: number) =>
    eventually(async () => {
      const kept = await factsKeptFor(redis);
      assert.equal(kept.length, userCache);
      for (const time of kept) near(time, HOUR);
    });
  await store.read((unit) => unit.tickets.find(aDigest(1)));
  await eachIsKeptForAnHour(2);
  await store.write((unit) => unit.users.change(ada.id, { disabled: true }));
  await eachIsKeptForAnHour(2);
  await store.write((unit) => unit.tickets.raiseServerGeneration());
  await eachIsKeptForAnHour(257);
});

test('what Redis dropped leaves lists, pages and counts, once it was looked for', async (t, redis) => {
  const now = Date.now();
  const store = await openUntilEnd(t, redis.url);
  const ada = await addUser(store, 'ada');
  const fresh = (n: number) => aTicket(n, ada, { issuedAt: now + n, usedAt: now });
  await issue(store, fresh(1), fresh(2), fresh(3));
  await redis.ask([
    'EVAL',
    "for _, key in ipairs(redis.call('KEYS', '*}t*')) do redis.call('DEL', key) break end return 1",
    '0',
  ]);
  const listed = await store.read((unit) => unit.tickets.listOf(ada.id));
  assert.equal(listed.length, 2);
  assert.equal((await store.read((unit) => unit.tickets.page(undefined, 10))).length, 2);
  assert.equal(await store.read((unit) => unit.tickets.countOf(ada.id)), 2);
  const found = await Promise.all([1, 2, 3].map((n) => store.read((unit) => unit.tickets.find(aDigest(n)))));
  assert.equal(found.filter((held) => held !== undefined).length, 2);
});

test('the sweeper records what has expired, removes what is dead, and counts what lives', async (t, redis) => {
  const start = Date.now();
  let now = start;
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
  await issue(
    store,
    aTicket(1, ada, { issuedAt: now, usedAt: now }),
    aTicket(2, ben, { issuedAt: now, usedAt: now }),
  );
  now += HOUR + 1;
  await issue(store, aTicket(3, ada, { issuedAt: now, usedAt: now }));
  const fail = (fault: unknown) => assert.fail(String(fault));
  const rules = { lifetime: LIFETIME, eventsKeep: 90 * 24 * HOUR, sweeps: [] };
  const parts = { store, ...rules, clock: () => now, onFault: fail };
  const [here, there] = [new Sweeper(parts), new Sweeper(parts)];
  await Promise.all([here.walk(), there.walk()]);
  assert.equal(here.liveTickets, 1);
  const told = await store.read((unit) => unit.events.list({}));
  assert.deepEqual(told.map(({ kind, user }) => `${kind} ${user}`).sort(), ['expiry ada', 'expiry ben']);
  assert.equal((await store.read((unit) => unit.tickets.page(undefined, 10))).length, 1);
});

test('a name that is locked for long is unlocked whole after its other counters were forgotten', async (t, redis) => {
  const now = Date.now();
  const store = await openUntilEnd(t, redis.url, { clock: () => now });
  const ada = aKey('ada');
  await store.write(async ({ attempts }) => {
    await attempts.put(ada, ada, aCounter({ lastFailureAt: now, waitUntil: now + 7 * 24 * HOUR }));
    // It expires as soon as it is written.
    await attempts.put(aKey('ada at home'), ada, aCounter({ lastFailureAt: now - 72 * HOUR, waitUntil: 0 }));
  });
  await pause(20);
  await store.write(({ attempts }) => attempts.removeOfName(ada));
  assert.equal(await store.read((unit) => counterOf(unit, ada)), undefined);
});
