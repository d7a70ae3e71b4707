import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ticketOf } from '../../bench/seeding/draws.ts';
import { LIFETIME, seed } from '../../bench/seeding/tickets.ts';
import { useIsDue } from '../../src/core/domain/ticket.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import { afterwards } from '../service/afterwards.ts';
import { temporaryFolder } from '../service/start.ts';
import { openSqlite } from '../service/stores.ts';

const TICKETS = 1_000;
const MINUTE = 60_000;

test('few tickets of a seeded store have a use due, even ten minutes later', async (t) => {
  const data = join(await temporaryFolder(t), 'data');
  await seed(data, TICKETS);
  const now = Date.now();
  const store = openSqlite(data);
  afterwards(t, () => store.close());
  const kept = await store.read(({ tickets }) =>
    Promise.all(Array.from({ length: TICKETS }, (_, number) => tickets.find(digestOf(ticketOf(number))))),
  );
  const due = (at: number) =>
    kept.filter((held) => held === undefined || useIsDue(held.ticket, at, LIFETIME)).length / TICKETS;
  assert.ok(due(now + 10 * MINUTE) < 0.1, `${due(now + 10 * MINUTE)} of them after ten minutes`);
  assert.ok(due(now + 150 * MINUTE) === 1, 'and all of them once a tenth of the inactivity time is over');
});
