import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailable, type WriteUnit } from '../../../src/core/storage/store.ts';
import { Commit, type CommitParts } from '../../../src/engines/redis/commit.ts';
import { Counters } from '../../../src/engines/redis/counters.ts';
import type { Words } from '../../../src/engines/redis/resp.ts';
import type { RedisServers } from '../../../src/engines/redis/servers.ts';
import { Staged } from '../../../src/engines/redis/units.ts';
import { heldLike } from '../../core/domain/samples.ts';
import { aCounter, aKey } from '../../core/storage/conformance/samples.ts';

test('a unit one of whose counters is refused ends, and frees its locks, once the others are not written any more', async () => {
  const staged = new Staged();
  for (const key of ['refused', 'held up'].map(aKey))
    staged.counters.set(key, { counter: aCounter(), name: undefined });
  const heldUp = Promise.withResolvers<void>();
  const put = async (key: string) => {
    if (key === aKey('refused')) throw new StoreUnavailable('refused');
    return heldUp.promise;
  };
  const before = new Commit(staged, { counters: { put } } as unknown as CommitParts).before({} as WriteUnit);
  let isOver = false;
  const refused = assert.rejects(before, /refused/).then(() => {
    isOver = true;
  });
  await turn();
  assert.equal(isOver, false);
  heldUp.resolve();
  await refused;
});

test('a counter that is refused is over once its indexes are not written any more', async () => {
  const heldUp = Promise.withResolvers<void>();
  const write = async (_slot: number, [command]: Words) => {
    if (command === 'SET') throw new StoreUnavailable('refused');
    return heldUp.promise;
  };
  const counters = new Counters({ write } as unknown as RedisServers, () => 0);
  let isOver = false;
  const refused = assert.rejects(
    counters.put(aKey('refused'), { counter: aCounter(), name: undefined }).finally(() => {
      isOver = true;
    }),
    /refused/,
  );
  await turn();
  assert.equal(isOver, false);
  heldUp.resolve();
  await refused;
});

test('a ticket whose end is refused stays in the index of its user', async () => {
  const { ticket } = heldLike();
  const staged = new Staged();
  staged.tickets.set(ticket.digest, { fate: 'ended', ticket });
  const asked: unknown[] = [];
  const write = async (_slot: number, [command]: Words) => {
    asked.push(command);
    throw new StoreUnavailable('refused');
  };
  const parts = { servers: { write }, userCache: {}, clock: () => 0 } as unknown as CommitParts;
  const unit = unitWith(async () => 0);
  await assert.rejects(new Commit(staged, parts).before(unit), /refused/);
  assert.equal(asked.length, 1);
  assert.ok(!asked.includes('ZREM'));
});

test('counters of a name are asked for and removed a thousand at a time', async () => {
  const members = Array.from({ length: 2_500 }, (_, n) => Buffer.from(aKey(`pair ${n}`), 'hex'));
  let [underWay, most] = [0, 0];
  const counted = async (answer: unknown) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await turn();
    underWay -= 1;
    return answer;
  };
  const ask = (_slot: number, [command]: Words) => counted(command === 'ZRANGE' ? members : null);
  const counters = new Counters({ ask, write: () => counted(1) } as unknown as RedisServers, () => 0);
  await counters.ofName(aKey('ann'));
  assert.equal(most, 1_000);
  most = 0;
  await counters.remove(members.map((member) => member.toString('hex') as never));
  assert.equal(most, 2_000, 'each takes two writes');
});

/** Servers that record what they are asked to write, and give this answer to everything. */
function notingServers(answer: number) {
  const asked: Words[] = [];
  const write = async (_slot: number, words: Words) => {
    asked.push(words);
    return answer;
  };
  return { asked, servers: { write } };
}

/** A unit of the database; each revocation that it is told of is added to `noted`. */
const unitWith = (serverGeneration: () => Promise<number>, noted: number[] = []) =>
  ({
    users: { noteRevocation: async (id: number) => void noted.push(id) },
    tickets: { serverGeneration },
  }) as unknown as WriteUnit;

test('a unit of which a statement failed ends no ticket', async () => {
  const { ticket } = heldLike();
  const staged = new Staged();
  staged.tickets.set(ticket.digest, { fate: 'ended', ticket });
  const { asked, servers } = notingServers(1);
  const unit = unitWith(async () => {
    throw new Error('the transaction is aborted');
  });
  await assert.rejects(
    new Commit(staged, { servers, clock: () => 0 } as unknown as CommitParts).before(unit),
    /aborted/,
  );
  assert.deepEqual(asked, []);
});

test('an ended ticket leaves the index of its user, after its end, and is noted in the database', async () => {
  const { ticket } = heldLike();
  const staged = new Staged();
  staged.tickets.set(ticket.digest, { fate: 'ended', ticket });
  const { asked, servers } = notingServers(1);
  const noted: number[] = [];
  await new Commit(staged, { servers, clock: () => 0 } as unknown as CommitParts).before(
    unitWith(async () => 0, noted),
  );
  assert.deepEqual(noted, [ticket.userId]);
  assert.equal(asked.length, 2);
  assert.equal(asked[1]?.[0], 'ZREM');
});

test('a new ticket that was lost before the commit is a fault, and one that was not is none', async () => {
  const { ticket } = heldLike();
  for (const [answer, isLost] of [
    [-1, true],
    [1, false],
  ] as const) {
    const staged = new Staged();
    staged.tickets.set(ticket.digest, { fate: 'issued', ticket });
    const parts = {
      servers: notingServers(answer).servers,
      counters: { remove: async () => undefined },
      lifetime: { idle: 60_000, age: 60_000 },
      clock: () => 0,
    };
    const after = new Commit(staged, parts as unknown as CommitParts).after();
    if (isLost) await assert.rejects(after, StoreUnavailable);
    else await after;
  }
});

test('counters are trimmed when the unit says so, and only then', async () => {
  const trims: unknown[] = [];
  const counters = {
    remove: async () => undefined,
    trim: async (most: number, now: number) => void trims.push([most, now]),
  };
  for (const trim of [undefined, { most: 5, now: 7 }]) {
    const staged = new Staged();
    staged.trim = trim;
    await new Commit(staged, { counters } as unknown as CommitParts).after();
  }
  assert.deepEqual(trims, [[5, 7]]);
});
