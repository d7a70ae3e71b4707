import assert from 'node:assert/strict';
import { after, test as plainTest, type TestContext } from 'node:test';
import type { Digest } from '../../../src/core/domain/ticket.ts';
import type { User } from '../../../src/core/domain/user.ts';
import { type Store, StoreUnavailable } from '../../../src/core/storage/store.ts';
import { RedisConnection } from '../../../src/engines/redis/connection.ts';
import {
  keys,
  type Partition,
  partitionOfCounter,
  partitionOfUser,
} from '../../../src/engines/redis/partitions.ts';
import { targetOf } from '../../../src/engines/redis/target.ts';
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
import { afterwards } from '../../service/afterwards.ts';
import { type Redis, whyNoRedis } from '../../service/redis.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd, PATIENT } from './opened.ts';

const why = whyNoRedis();
const settings = ['--cluster-announce-hostname', 'localhost'];
const cluster = why === undefined ? await RedisCluster.start({ nodeTimeout: 30_000, settings }) : undefined;
after(() => cluster?.remove());

/** A partition whose slot is being moved from one master to another. */
interface Move {
  /** Moves a key. */
  move(key: string | Buffer): Promise<void>;
  /** The master that is importing the slot. */
  readonly taker: Redis;
}

async function startMoving(t: TestContext, { slot }: Partition, within: RedisCluster): Promise<Move> {
  const giver = await within.masterOf(slot);
  const taker = await within.masterOf((slot + 8_192) % 16_384);
  const setSlot = (node: Redis, ...words: string[]) =>
    node.ask(['CLUSTER', 'SETSLOT', String(slot), ...words]);
  await taker.ask(['SCRIPT', 'FLUSH']);
  await setSlot(taker, 'IMPORTING', await giver.ask(['CLUSTER', 'MYID']));
  await setSlot(giver, 'MIGRATING', await taker.ask(['CLUSTER', 'MYID']));
  const host = { name: '127.0.0.1', port: giver.port };
  const connection = await RedisConnection.open(
    host,
    { target: targetOf(giver.url, PATIENT), isFirst: true },
    10_000,
  );
  afterwards(t, async () => {
    connection.close();
    for (const node of [giver, taker]) await setSlot(node, 'STABLE');
  });
  const words = ['MIGRATE', '127.0.0.1', String(taker.port)];
  return {
    taker,
    move: async (key) => assert.equal(await connection.send([...words, key, '0', '5000']), 'OK'),
  };
}

/** The digest of the `n`th ticket, in the user's partition. */
const digestNear = (user: Pick<User, 'id'>, n: number) =>
  (Buffer.from([user.id % 256]).toString('hex') + aDigest(n).slice(2)) as Digest;

const HERE = { from: '192.0.2.1', program: 'curl/8.5.0', appPassword: 'mail' };

const isFound = async (store: Store, digest: Digest) =>
  (await store.read((unit) => unit.tickets.find(digest))) !== undefined;

function test(name: string, body: (t: TestContext, cluster: RedisCluster) => Promise<void>): void {
  plainTest(name, async (t) => {
    if (cluster === undefined) return t.skip(why);
    await cluster.isWhole();
    await cluster.flush();
    await body(t, cluster);
  });
}

test('while a slot is moved its tickets are found, listed, issued and ended', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url);
  const ada = await addUser(store, 'ada');
  const [moved, left, fresh] = [1, 2, 3].map((n) => digestNear(ada, n)) as [Digest, Digest, Digest];
  const at = { issuedAt: Date.now(), usedAt: Date.now() };
  const issueHere = (digest: Digest) => issueFrom(store, HERE, aTicket(1, ada, { ...at, digest }));
  for (const digest of [moved, left]) await issueHere(digest);
  assert.ok(await isFound(store, left));
  const place = partitionOfUser(ada.id);
  const { move } = await startMoving(t, place, cluster);

  await move(keys.ticket(moved));
  assert.ok(await isFound(store, moved), 'its ticket has moved');
  await move(keys.user(ada.id));
  assert.ok(await isFound(store, left), 'what is known of its user has moved');
  await move(keys.tickets(place));
  assert.equal((await store.read((unit) => unit.tickets.listOf(ada.id))).length, 2);

  await issueHere(fresh);
  assert.ok(await isFound(store, fresh));
  for (const digest of [moved, left, fresh]) {
    const ticket = aTicket(1, ada, { ...at, digest });
    const [origin] = await store.read((unit) => unit.tickets.originsOf([ticket]));
    // That of the new ticket may be lost, since its key belongs to neither master alone.
    if (digest !== fresh) assert.deepEqual(origin, HERE);
    await store.write((unit) => unit.tickets.use(digest, at.usedAt + 1));
    assert.ok(await store.write((unit) => unit.tickets.end(digest)));
    assert.equal(await isFound(store, digest), false);
  }
});

test('while a slot is moved a name is unlocked, whichever of its keys have moved', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url);
  const [ada, ben] = [aKey('ada'), `${aKey('ada').slice(0, 2)}${aKey('ben').slice(2)}`];
  const counter = aCounter({ lastFailureAt: Date.now() });
  await store.write(async ({ attempts }) => {
    await attempts.put(ada, ada, counter);
    await attempts.put(ben, ben, counter);
  });
  const place = partitionOfCounter(ada);
  const { move } = await startMoving(t, place, cluster);
  await move(keys.counter(ada));
  await store.write(({ attempts }) => attempts.trim(1, Date.now()));
  await store.write(({ attempts }) => attempts.removeOfName(ada));
  assert.equal(await store.read((unit) => counterOf(unit, ada)), undefined, 'its counter has moved');
  await move(keys.counters(place));
  await store.write(({ attempts }) => attempts.removeOfName(ben));
  assert.equal(await store.read((unit) => counterOf(unit, ben)), undefined, 'the index has moved');
});

test('while a slot is moved failures are counted that are the first of their kind, whichever keys have moved', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url);
  const near = (name: string) => `${aKey('ada').slice(0, 2)}${aKey(name).slice(2)}`;
  const put = (name: string) =>
    store.write(({ attempts }) =>
      attempts.put(near(name), near(name), aCounter({ lastFailureAt: Date.now() })),
    );
  const isCounted = async (name: string) =>
    (await store.read((unit) => counterOf(unit, near(name)))) !== undefined;
  await put('ada');
  const place = partitionOfCounter(near('ada'));
  const { move } = await startMoving(t, place, cluster);
  await put('ben');
  assert.ok(await isCounted('ben'), 'nothing has moved yet');
  await move(keys.counter(near('ada')));
  await put('eve');
  assert.ok(await isCounted('eve'), 'a counter has moved');
  await move(keys.counters(place));
  await put('joe');
  assert.ok(await isCounted('joe'), 'the index has moved');
});

test('while a slot is moved a trim misses no counter, though the index moves ahead of them', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url);
  const [ada, ben] = [aKey('ada'), `${aKey('ada').slice(0, 2)}${aKey('ben').slice(2)}`];
  const trim = () => store.write(({ attempts }) => attempts.trim(1, Date.now()));
  await store.write(async ({ attempts }) => {
    for (const key of [ada, ben]) await attempts.put(key, key, aCounter({ lastFailureAt: Date.now() }));
  });
  const place = partitionOfCounter(ada);
  const { move } = await startMoving(t, place, cluster);
  await move(keys.counters(place));
  await trim();
  for (const key of [ada, ben]) await move(keys.counter(key));
  await trim();
  const counters = await Promise.all([ada, ben].map((key) => store.read((unit) => counterOf(unit, key))));
  assert.equal(counters.filter((counter) => counter !== undefined).length, 1);
});

test('a log-out that went to the master that imports a slot is acknowledged once its replica has it', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url, { options: { ...PATIENT, replicaDeadline: 300 } });
  const ada = await addUser(store, 'ada');
  const digest = digestNear(ada, 1);
  const ticket = aTicket(1, ada, { issuedAt: Date.now(), usedAt: Date.now(), digest });
  await until('a ticket is kept', async () => {
    await issue(store, ticket);
    return true;
  });
  const { move, taker } = await startMoving(t, partitionOfUser(ada.id), cluster);
  await move(keys.ticket(digest));
  const replica = cluster.nodes[cluster.nodes.indexOf(taker) + 3] as Redis;
  replica.freeze();
  try {
    const end = store.write((unit) => unit.tickets.end(digest));
    await assert.rejects(end, (fault) => fault instanceof StoreUnavailable && /replicas/.test(fault.message));
  } finally {
    replica.thaw();
  }
});

test('a slot that its master gives to one that does not take it is told so, and costs neither many commands', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url, { options: {} });
  const user = { id: 1 };
  const { slot } = partitionOfUser(user.id);
  const giver = await cluster.masterOf(slot);
  const other = await cluster.masterOf((slot + 8_192) % 16_384);
  const setSlot = (...words: string[]) => giver.ask(['CLUSTER', 'SETSLOT', String(slot), ...words]);
  await setSlot('MIGRATING', await other.ask(['CLUSTER', 'MYID']));
  t.after(() => setSlot('STABLE'));
  await other.ask(['CONFIG', 'RESETSTAT']);
  await assert.rejects(isFound(store, digestNear(user, 1)), StoreUnavailable);
  const stats = await other.ask(['INFO', 'commandstats']);
  const calls = Number(/cmdstat_asking:calls=(\d+)/.exec(stats)?.[1]);
  assert.ok(calls > 0 && calls < 50, `${calls} commands`);
});

test('a slot that each of two masters says the other has costs neither many commands', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url, { options: {} });
  const user = { id: 1 };
  const { slot } = partitionOfUser(user.id);
  const giver = await cluster.masterOf(slot);
  const other = await cluster.masterOf((slot + 8_192) % 16_384);
  const give = async (to: Redis) =>
    giver.ask(['CLUSTER', 'SETSLOT', String(slot), 'NODE', await to.ask(['CLUSTER', 'MYID'])]);
  await give(other);
  afterwards(t, () => give(giver));
  await other.ask(['CONFIG', 'RESETSTAT']);
  await assert.rejects(isFound(store, digestNear(user, 1)), StoreUnavailable);
  const stats = await other.ask(['INFO', 'errorstats']);
  const calls = Number(/errorstat_MOVED:count=(\d+)/.exec(stats)?.[1]);
  assert.ok(calls > 0 && calls < 50, `${calls} commands`);
});

test('while a slot is moved its keys are written where redirections that give the host name lead', async (t, cluster) => {
  const store = await openUntilEnd(t, cluster.url);
  const key = aKey('ada');
  const place = partitionOfCounter(key);
  const giver = await cluster.masterOf(place.slot);
  await until('the giver knows all by their names', async () => {
    const known = await giver.ask(['CLUSTER', 'NODES']);
    return known.split(',localhost').length > cluster.nodes.length;
  });
  const name = (kind: string) => giver.ask(['CONFIG', 'SET', 'cluster-preferred-endpoint-type', kind]);
  await name('hostname');
  afterwards(t, () => name('ip'));
  await startMoving(t, place, cluster);
  await store.write(({ attempts }) => attempts.put(key, key, aCounter({ lastFailureAt: Date.now() })));
  assert.notEqual(await store.read((unit) => counterOf(unit, key)), undefined);
});
