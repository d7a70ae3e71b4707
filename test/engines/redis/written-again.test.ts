import assert from 'node:assert/strict';
import { after } from 'node:test';
import { type Script, withText } from '../../../src/engines/redis/servers.ts';
import { ACTIVATE, END, MOVE_TO_GENERATION } from '../../../src/engines/redis/ticket-records.ts';
import { aDigest, addUser, aTicket, issue } from '../../core/storage/conformance/samples.ts';
import { Redis, testsOnRedis } from '../../service/redis.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

// A ping of the replica would count as a write.
const test = await testsOnRedis('--repl-ping-replica-period', '3600');
const KEY = 'ticket';
const RECORD = '1 0 0 0 0';
const MINUTE = '60000';

const run = (redis: Redis, script: Script, ...values: string[]) =>
  redis.ask(withText(script([KEY], ...values)).map(String));

/** Makes a replica; returns a function that tells how much the replica was sent. */
async function replicated(redis: Redis): Promise<() => Promise<number>> {
  const replica = await Redis.start('--replicaof', '127.0.0.1', String(redis.port));
  after(() => replica.remove());
  const told = (server: Redis) => server.ask(['INFO', 'replication']);
  await until('a replica is in step', async () => /master_link_status:up/.test(await told(replica)));
  return async () => Number(/master_repl_offset:(\d+)/.exec(await told(redis))?.[1]);
}

test('a repeated end and a repeated activation are sent to replicas again, so that these are waited for', async (_t, redis) => {
  const sent = await replicated(redis);
  const isSent = async (script: Script, ...values: string[]) => {
    const before = await sent();
    await run(redis, script, ...values);
    return (await sent()) > before;
  };
  for (const length of [MINUTE, '0']) {
    await redis.ask(['SET', KEY, `?${RECORD}`]);
    assert.deepEqual(
      [await isSent(ACTIVATE, RECORD, length), await isSent(ACTIVATE, RECORD, length)],
      [true, true],
    );
    assert.equal(await redis.ask(['GET', KEY]), RECORD);
    assert.deepEqual([await isSent(END, MINUTE), await isSent(END, MINUTE)], [true, true]);
  }
});

test('a repeated move to a generation is sent to replicas again, and leaves the end of the ticket as it was', async (_t, redis) => {
  const sent = await replicated(redis);
  await redis.ask(['SET', KEY, '1 4 0 0 0', 'PX', MINUTE]);
  await redis.ask(['SET', `${KEY}n`, '5']);
  for (const [generation, isSent, record] of [
    ['5', true, '1 5 0 0 0'],
    ['5', true, '1 5 0 0 0'],
    ['4', false, '1 5 0 0 0'],
  ] as const) {
    const before = await sent();
    await run(redis, MOVE_TO_GENERATION, generation);
    assert.equal((await sent()) > before, isSent);
    assert.equal(await redis.ask(['GET', KEY]), record);
    assert.ok(Number(await redis.ask(['PTTL', KEY])) > 0);
  }
});

test('an end leaves nothing behind for long, and whoever bears the ticket then knows of it', async (_t, redis) => {
  for (const record of [RECORD, `?${RECORD}`]) {
    await redis.ask(['SET', KEY, record]);
    await run(redis, END, MINUTE);
    assert.ok(Number(await redis.ask(['PTTL', KEY])) > 0);
    assert.equal(await run(redis, ACTIVATE, RECORD, MINUTE), '0');
  }
});

test('a ticket is ended while the memory is full', async (t, redis) => {
  const store = await openUntilEnd(t, redis.url);
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada, { issuedAt: Date.now(), usedAt: Date.now() }));
  await redis.ask(['CONFIG', 'SET', 'maxmemory', '1']);
  t.after(() => redis.ask(['CONFIG', 'SET', 'maxmemory', '0']));
  assert.equal(await store.write((unit) => unit.tickets.end(aDigest(1))), true);
  assert.equal(await store.read((unit) => unit.tickets.find(aDigest(1))), undefined);
});
