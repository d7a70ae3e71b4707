import assert from 'node:assert/strict';
import { after, test as plainTest, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Store, StoreUnavailable } from '../../../src/core/storage/store.ts';
import { partitionOfUser } from '../../../src/engines/redis/partitions.ts';
import { aDigest, addUser, aTicket } from '../../core/storage/conformance/samples.ts';
import { whyNoRedis } from '../../service/redis.ts';
import { RedisBus } from '../../service/redis-bus.ts';
import { RedisCluster } from '../../service/redis-cluster.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const why = whyNoRedis();
const cluster = why === undefined ? await RedisCluster.start({ nodeTimeout: 3_000 }) : undefined;
after(() => cluster?.remove());

function test(name: string, body: (t: TestContext, cluster: RedisCluster) => Promise<void>): void {
  plainTest(name, async (t) => {
    if (cluster === undefined) return t.skip(why);
    await cluster.isWhole();
    await body(t, cluster);
  });
}

/** Issues tickets one after another, ends every other one, and records what was acknowledged. */
class Traffic {
  readonly live: number[] = [];
  readonly dead: number[] = [];
  readonly faults: unknown[] = [];
  readonly #store: Store;
  readonly #user: { id: number; generation: number };
  #next: number;
  #going = true;

  constructor(store: Store, user: { id: number; generation: number }, first: number) {
    this.#store = store;
    this.#user = user;
    this.#next = first;
  }

  async go(): Promise<void> {
    while (this.#going) {
      const n = this.#next++;
      try {
        const at = { issuedAt: Date.now(), usedAt: Date.now() };
        await this.#store.write((unit) => unit.tickets.issue(aTicket(n, this.#user, at)));
        if (n % 2 === 0) this.live.push(n);
        else if (await this.#store.write((unit) => unit.tickets.end(aDigest(n)))) this.dead.push(n);
      } catch (fault) {
        this.faults.push(fault);
        await pause(20);
      }
      await pause(2);
    }
  }

  stop(): void {
    this.#going = false;
  }
}

/** Sends traffic to all masters while something is `done` to the cluster, and checks what was acknowledged. */
async function underTraffic(t: TestContext, cluster: RedisCluster, done: () => Promise<void>): Promise<void> {
  await cluster.flush();
  const store = await openUntilEnd(t, cluster.url, { options: {} });
  const users = [];
  for (let n = 0; n < 6; n++) users.push(await addUser(store, `user ${n}`));
  const traffic = users.map((user, n) => new Traffic(store, user, n * 1_000_000));
  const going = traffic.map((one) => one.go());
  await until('all have logged in', () => traffic.every(({ live }) => live.length > 10));
  await done();
  const before = traffic.map(({ live }) => live.length);
  const hasLoggedIn = ({ live }: Traffic, n: number) => live.length > (before[n] as number);
  await until('all log in again', () => traffic.every(hasLoggedIn));
  for (const one of traffic) one.stop();
  await Promise.all(going);
  for (const [n, { live, dead, faults }] of traffic.entries()) {
    assert.ok(
      faults.every((fault) => fault instanceof StoreUnavailable),
      String(faults.find((f) => !(f instanceof StoreUnavailable))),
    );
    const held = async (numbers: number[]) =>
      (
        await Promise.all(numbers.map((number) => store.read((unit) => unit.tickets.find(aDigest(number)))))
      ).filter((found) => found !== undefined).length;
    assert.equal(await held(live), live.length, `user ${n}: live ones`);
    assert.equal(await held(dead), 0, `user ${n}: dead ones`);
  }
}

test('nothing that was acknowledged is lost with a master, whose slots are served again', async (t, cluster) => {
  const master = await cluster.masterOf(partitionOfUser(1).slot);
  await underTraffic(t, cluster, async () => {
    await master.kill();
    await cluster.failedOver(master);
  });
  await master.resume();
});

test('nothing that was acknowledged is lost with a frozen master, and its replacement is found while it is silent', async (t, cluster) => {
  const master = await cluster.masterOf(partitionOfUser(1).slot);
  await underTraffic(t, cluster, async () => {
    master.freeze();
    try {
      await cluster.failedOver(master);
      await pause(1_500);
    } finally {
      master.thaw();
    }
    await pause(500);
  });
});

test('a master that is cut off from its replica and the others acknowledges nothing that is lost when it is replaced', async (t, cluster) => {
  const bus = await RedisBus.of(t, cluster);
  const master = await cluster.masterOf(partitionOfUser(1).slot);
  await underTraffic(t, cluster, async () => {
    await bus.cutOff(master);
    await cluster.failedOver(master);
    await pause(1_000);
    await bus.heal();
    await cluster.isWhole();
  });
});
