import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresTarget } from '../../../src/storage/postgres/transfer/target.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { lineTo } from './line.ts';

const test = await testsOnPostgres();
const SOURCE = { identity: 'one that is copied', source: 'a test' };

/** Far beyond the patience of a copy. */
const HANGS = 30_000;

test('a copy ends although its server answers no more', async (t, server) => {
  const line = await lineTo(t, await server.freshSchema());
  const target = await postgresTarget(line.url, SOURCE);
  line.freeze();
  const ended = await Promise.race([target.close().then(() => true), pause(HANGS, false, { ref: false })]);
  assert.equal(ended, true);
});

test('the next copy of the same source is let in as soon as one has ended', async (_t, server) => {
  const url = await server.freshSchema();
  for (let time = 0; time < 5; time += 1) await (await postgresTarget(url, SOURCE)).close();
});
