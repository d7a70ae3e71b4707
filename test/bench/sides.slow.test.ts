import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn, interleave } from '../../bench/report/rounds.ts';
import { credentials, drawn, drawnAnew } from '../../bench/rows/credentials.ts';
import { uniform, zipf } from '../../bench/seeding/draws.ts';
import { holderOf } from '../../bench/seeding/tickets.ts';

test('two sides at one server share no more tickets of an even draw than by chance', () => {
  const tickets = 1_000_000;
  const header = new Set(drawn(uniform(tickets), 'header', 0));
  const argument = new Set(drawn(uniform(tickets), 'argument', 0));
  const byChance = (header.size * argument.size) / tickets;
  const shared = [...header].filter((number) => argument.has(number)).length;
  assert.ok(shared < byChance * 1.1, `${shared} of ${header.size} are shared, by chance it is ${byChance}`);
});

test('every round has users of its own, so that none leaves the cache during its round', () => {
  const tickets = 1_000_000;
  const users = Array.from({ length: 8 }, (_, round) =>
    drawnAnew(zipf(tickets, 10_000), round, tickets).map(holderOf),
  );
  const each = users.map((ofRound) => new Set(ofRound).size);
  const all = new Set(users.flat()).size;
  assert.ok(each.every((size) => size > 9_000));
  assert.equal(
    all,
    each.reduce((sum, size) => sum + size),
  );
});

test('the side that goes first in a round goes second in the next', async () => {
  const asked: string[] = [];
  const side = (name: string, found: number) => async (round: number) => {
    asked.push(`${name} ${round}`);
    return found;
  };
  const rounds = await interleave(2, side('ours', 1), side('baseline', 2));
  assert.deepEqual(asked, ['ours 0', 'baseline 0', 'baseline 1', 'ours 1']);
  assert.deepEqual(rounds, Array(2).fill({ ours: 1, baseline: 2 }));
});

test('of several services the one that goes first in a round goes last in the next', () => {
  const services = new Set(['ours', 'one', 'another']);
  assert.deepEqual(inTurn(services, 0), ['ours', 'one', 'another']);
  assert.deepEqual(inTurn(services, 1), ['another', 'one', 'ours']);
});

test('rounds longer than the cache lifetime are refused before a store is seeded', async () => {
  const seeding = () => assert.fail('a store is seeded');
  const bench = { rounds: 7, seconds: 46, tickets: 1, many: 1, folder: '', dataFolder: seeding, say() {} };
  await assert.rejects(credentials.measure(bench), /warm for no more than 45 s: give a lower --seconds/);
});
