import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { emptiedCaches } from '../../../src/core/emptied-caches.ts';
import type { Store, WriteUnit } from '../../../src/core/storage/store.ts';
import { keys, partitionOfDigest } from '../../../src/engines/redis/partitions.ts';
import { aDigest, addUser, aTicket, NOW } from '../../core/storage/conformance/samples.ts';
import { type Redis, testsOnRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

/** Two instances, and a ticket of ada's that both have in memory. */
async function looked(t: TestContext, redis: Redis) {
  await redis.ask(['FLUSHALL']);
  const folder = await temporaryFolder(t);
  const open = () => openUntilEnd(t, redis.url, { below: openSqlite(folder), clock: () => NOW });
  const [one, other] = [await open(), await open()];
  const ada = await addUser(one, 'ada');
  let draws = 1;
  const redraw = () => {
    draws += 1;
    return aDigest(draws);
  };
  const digest = await one.write((unit) => unit.tickets.issue(aTicket(1, ada), redraw));
  const findIn = async (store: Store) => store.read((unit) => unit.tickets.find(digest));
  for (const store of [one, other]) await untilCached(store, findIn);
  return { one, other, ada, digest, findIn };
}

/** Looks the ticket up until the same object comes again. */
function untilCached(store: Store, findIn: (store: Store) => Promise<unknown>): Promise<void> {
  let before: unknown;
  return until('it is cached', async () => {
    const last = before;
    before = await findIn(store);
    return before === last;
  });
}

type Change = (unit: WriteUnit, digest: ReturnType<typeof aDigest>, userId: number) => Promise<unknown>;

/** Every change of the result of a look-up. */
const CHANGES: Record<string, Change> = {
  'ends the ticket': ({ tickets }, digest) => tickets.end(digest),
  'writes a use of it': ({ tickets }, digest) => tickets.use(digest, NOW + 5_000),
  'raises the generation of the server': ({ tickets }) => tickets.raiseServerGeneration(),
  'raises that of the user': ({ users }, _, id) => users.change(id, { generation: 7 }),
  'disables the user': ({ users }, _, id) => users.change(id, { disabled: true }),
  'locks the user': ({ users }, _, id) => users.change(id, { lockedUntil: NOW }),
  'removes the user': ({ users }, _, id) => users.remove(id),
};
for (const [what, change] of Object.entries(CHANGES)) {
  test(`a write unit that ${what} is seen by the next look-up of each instance`, async (t, redis) => {
    const { one, other, ada, digest, findIn } = await looked(t, redis);
    const before = await findIn(one);
    await one.write((unit) => change(unit, digest, ada.id));
    const after = await findIn(one);
    assert.notDeepEqual(after, before);
    assert.deepEqual(await findIn(other), after);
  });
}

test('a ticket that Redis loses is not found any more', async (t, redis) => {
  for (const words of [['FLUSHALL'], ['FLUSHDB', 'ASYNC']]) {
    const { one, other, findIn } = await looked(t, redis);
    await redis.ask(words);
    for (const store of [one, other]) assert.equal(await findIn(store), undefined);
  }
});

test('a ticket that somebody removes or renames in Redis is not found any more', async (t, redis) => {
  for (const [verb, more] of [['DEL'], ['UNLINK'], ['RENAME', 'elsewhere']] as const) {
    const { one, other, findIn } = await looked(t, redis);
    const each = `for _, key in ipairs(redis.call('KEYS', 'tessera:{*}t*')) do redis.call('${verb}', key${more ? `, '${more}'` : ''}) end`;
    await redis.ask(['EVAL', each, '0']);
    for (const store of [one, other]) assert.equal(await findIn(store), undefined);
  }
});

test('a mark over the user or over the generation is obeyed: the database is asked', async (t, redis) => {
  const { one, ada, digest, findIn } = await looked(t, redis);
  const before = await findIn(one);
  await redis.ask(['SET', keys.user(ada.id), '!a mark']);
  assert.notEqual(await findIn(one), before, 'another object');
  await untilCached(one, findIn);
  const again = await findIn(one);
  await redis.ask(['SET', keys.generation(partitionOfDigest(digest)), '!a mark']);
  assert.notEqual(await findIn(one), again, 'another object');
});

test('after the connection was cut nothing is remembered, and tickets are cached again', async (t, redis) => {
  const { one, findIn } = await looked(t, redis);
  const before = await findIn(one);
  await redis.ask(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
  const count = () => emptiedCaches().get('connection') as number;
  const countBefore = count();
  assert.notEqual(await findIn(one), before);
  await untilCached(one, findIn);
  assert.ok(count() > countBefore);
});

test('a cached ticket that does not pass is read again', async (t, redis) => {
  const { one, digest, findIn } = await looked(t, redis);
  const before = await findIn(one);
  const again = await one.read(({ tickets }) => tickets.find(digest, () => false));
  assert.deepEqual(again, before);
  assert.notEqual(again, before, 'another object');
});

test('a server that refuses to tell of changes is asked each time', async (t, redis) => {
  await redis.ask(['ACL', 'SETUSER', 'default', '-client|tracking']);
  t.after(() => redis.ask(['ACL', 'SETUSER', 'default', '+client|tracking']));
  await redis.ask(['FLUSHALL']);
  const store = await openUntilEnd(t, redis.url, { clock: () => NOW });
  const ada = await addUser(store, 'ada');
  await store.write((unit) => unit.tickets.issue(aTicket(1, ada)));
  const find = () => store.read((unit) => unit.tickets.find(aDigest(1)));
  for (let times = 1; times <= 3; times += 1) assert.ok(await find());
  assert.notEqual(await find(), await find(), 'another object');
  await store.write((unit) => unit.tickets.end(aDigest(1)));
  assert.equal(await find(), undefined);
});
