import assert from 'node:assert/strict';
import { drawTickets } from '../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../src/core/gate/tickets.ts';
import {
  type Partition,
  partitionOfDigest,
  partitionOfUser,
  partitions,
} from '../../../src/engines/redis/partitions.ts';
import { aDigest, addUser, aTicket, issue, NOW } from '../../core/storage/conformance/samples.ts';
import { Redis, testsOnRedis } from '../../service/redis.ts';
import { startTestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

/** How many commands it takes to read the count. */
const LOOK = 1;
/** A validation of a ticket that was found before: one `MGET`. */
const VALIDATION = 1;

/** How many commands Redis processes while `work` is done, with one look at their count. */
async function costOf(redis: Redis, work: () => Promise<void>): Promise<number> {
  const processed = async () =>
    Number(/total_commands_processed:(\d+)/.exec(await redis.ask(['INFO', 'stats']))?.[1]);
  const before = await processed();
  await work();
  return (await processed()) - before;
}

test('the partitions lie evenly over the slots, where Redis finds them too', async (t) => {
  for (const { number, slot } of partitions) assert.equal(Math.floor(slot / 64), number);
  const node = await Redis.start('--cluster-enabled', 'yes');
  t.after(() => node.remove());
  for (const { prefix, slot } of partitions.filter(({ number }) => number % 32 === 0))
    assert.equal(await node.ask(['CLUSTER', 'KEYSLOT', `${prefix}g`]), String(slot));
});

test('a login draws a ticket in its user’s partition, so that one trip finds both, and later ones ask only what has changed', async (t, redis) => {
  const store = await openUntilEnd(t, redis.url);
  const service = await startTestService(t, {}, () => store);
  for (const name of ['ada', 'ben', 'eve']) {
    await service.addUser(name);
    const ticket = await logIn(service.url, name);
    const user = await store.read((unit) => unit.users.findByKey(name));
    assert.equal(partitionOfDigest(digestOf(ticket as never)), partitionOfUser(user?.id ?? 0));
    const path = `${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
    assert.equal((await ask(path)).status, 200);
    await until('the sweeper rests', async () => (await costOf(redis, async () => undefined)) === LOOK);
    const callsOf = async (command: string) =>
      Number(
        new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await redis.ask(['INFO', 'commandstats']))?.[1] ??
          0,
      );
    const [reads, questions] = [await callsOf('mget'), await callsOf('exists')];
    const cost = await costOf(redis, async () => {
      for (let round = 0; round < 20; round++) assert.equal((await ask(path)).status, 200);
    });
    // A use that is written has the ticket read again.
    assert.ok((await callsOf('mget')) - reads <= 3);
    assert.ok((await callsOf('exists')) - questions >= 17);
    // Uses of tickets are written now and then.
    assert.ok(cost - LOOK < 20 * (VALIDATION + 1), `${cost} commands`);
  }
});

test('drawn tickets differ in their last four bytes alone', async () => {
  const random = Buffer.alloc(20, 0xff);
  const draws = drawTickets(random);
  const drawn = Array.from({ length: 300 }, () => draws.next().value);
  assert.equal(new Set(drawn).size, 300);
  assert.deepEqual(
    new Set(drawn.map((ticket) => ticket.slice(0, -8))),
    new Set([`TICKET_${'f'.repeat(32)}`]),
  );
});

test('a ticket lies under the 32 bytes of its digest, and so does what finds it by its user', async (t, redis) => {
  const store = await openUntilEnd(t, redis.url, { clock: () => NOW });
  const ada = await addUser(store, 'ada');
  await issue(store, aTicket(1, ada), aTicket(2, ada));
  const inHex = async (all: string) => {
    const hex = `(string.gsub(bytes, '.', function(byte) return string.format('%02x', string.byte(byte)) end))`;
    const script = `local all = {} for _, bytes in ipairs(${all}) do table.insert(all, ${hex}) end return all`;
    return (await redis.ask(['EVAL', script, '0'])).split('\n').sort();
  };
  const keyOf = (n: number) => {
    const { prefix } = partitions[Number.parseInt(aDigest(n).slice(0, 2), 16)] as Partition;
    return Buffer.from(`${prefix}t`).toString('hex') + aDigest(n);
  };
  assert.deepEqual(await inHex(`redis.call('KEYS', '*}t*')`), [keyOf(1), keyOf(2)].sort());
  const index = `redis.call('ZRANGE', redis.call('KEYS', '*}i')[1], '0', '-1')`;
  assert.deepEqual(await inHex(index), [aDigest(1), aDigest(2)].sort());
  await store.write((unit) => unit.tickets.end(aDigest(1)));
  assert.deepEqual(await inHex(index), [aDigest(2)]);
});

test('no key and no value holds a ticket, and no key a name', async (t, redis) => {
  const store = await openUntilEnd(t, redis.url);
  const service = await startTestService(t, {}, () => store);
  await service.addUser('ada lovelace');
  const ticket = await logIn(service.url, 'ada lovelace');
  await ask(`${service.url}/api/login`, {
    method: 'POST',
    body: '{"username":"ada lovelace","password":"hunter2"}',
  });
  const script = `local all = {} for _, key in ipairs(redis.call('KEYS', '*')) do
    table.insert(all, key) if redis.call('TYPE', key).ok == 'string' then table.insert(all, redis.call('GET', key)) end end return all`;
  const everything = await redis.ask(['EVAL', script, '0']);
  const allKeys = await redis.ask(['KEYS', '*']);
  assert.ok(
    !everything.includes(ticket) && !everything.includes(ticket.slice(7)) && !everything.includes('hunter2'),
  );
  assert.ok(!everything.includes('argon2') && !allKeys.includes('lovelace'));
  // Counted in Redis, since a key may contain the byte that ends a line.
  const count = `local ours = #redis.call('KEYS', 'tessera:{*') return {ours, #redis.call('KEYS', '*') - ours}`;
  const [ours, others] = (await redis.ask(['EVAL', count, '0'])).split('\n').map(Number);
  assert.ok((ours as number) > 0);
  assert.equal(others, 0);
});
