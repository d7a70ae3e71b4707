import assert from 'node:assert/strict';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnOwnPostgres(...DURABLE);

test('a ticket from A validates at B, and once C has logged it out it is dead at A and B for the very next request', async (t, server) => {
  const fleet = await fleetOn(t, await server.freshDatabase());
  const book = await underLoad(t, fleet, { harmless: true, strike: async () => undefined });
  assert.equal(book.later, 0, 'without a fault, nobody is put off');
});
