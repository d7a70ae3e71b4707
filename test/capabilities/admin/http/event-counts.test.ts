import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../../service/start.ts';
import { asked } from './asked.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const startOf = (length: number, at: number) => Math.floor(at / length) * length;
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

test('logins and refused logins are counted hour by hour over a day, the hour that goes on included', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  const { body: status } = await asked(service, '/status');
  const now = Date.parse(status.now);
  const hour = startOf(HOUR, now);
  await service.store.write(async ({ events }) => {
    for (const at of [now, hour, hour - 1, hour - 23 * HOUR]) await events.append({ at, kind: 'login' });
    await events.append({ at: hour - 23 * HOUR - 1, kind: 'login' });
    await events.tally({ at: hour - HOUR, kind: 'login-refused', reason: 'waiting' }, 40);
  });
  const { body } = await asked(service, '/events/counts', {}, 'auditor');
  const quiet = (length: number) => Array<number>(length).fill(0);
  assert.deepEqual(body, {
    step: 'hour',
    times: Array.from({ length: 24 }, (_, at) => new Date(hour + (at - 23) * HOUR).toISOString()),
    items: [
      { kind: 'login', counts: [1, ...quiet(21), 1, 2] },
      { kind: 'login-refused', counts: [...quiet(22), 40, 0] },
    ],
  });
});

test('other kinds are counted day by day, in days of UTC', async (t) => {
  const service = await startTestService(t);
  service.stopClock();
  const { body: status } = await asked(service, '/status');
  const day = startOf(DAY, Date.parse(status.now));
  await service.store.write(async ({ events }) => {
    for (const at of [day, day - 1, day - DAY, day - 29 * DAY]) await events.append({ at, kind: 'lock' });
  });
  const counts = async (query: string) => (await asked(service, `/events/counts?${query}`)).body;
  const week = await counts('kinds=lock,unlock&step=day');
  assert.deepEqual(week.items, [
    { kind: 'lock', counts: [0, 0, 0, 0, 0, 2, 1] },
    { kind: 'unlock', counts: Array(7).fill(0) },
  ]);
  const month = await counts('kinds=lock&step=day&number=31');
  assert.deepEqual([month.times.length, sum(month.items[0].counts)], [31, 4]);
});

test('a count that would read too much, or of an unknown kind, is refused with what is taken', async (t) => {
  const service = await startTestService(t);
  for (const [query, why] of [
    ['number=169', /number \(at most 168/],
    ['step=day&number=32', /number \(at most 31/],
    ['number=0', /number \(how many/],
    ['step=week', /step \(hour or day/],
    ['kinds=birthday', /birthday is none/],
    ['kinds=lock,lock,lock,lock,lock,lock', /kinds \(at most 5/],
  ] as const) {
    const { status, body } = await asked(service, `/events/counts?${query}`);
    assert.deepEqual([status, body.code], [400, 'argument_invalid'], query);
    assert.match(body.detail, why);
  }
  assert.equal((await asked(service, '/events/counts?kinds=&step=&number=')).body.times.length, 24);
});
