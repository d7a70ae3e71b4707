import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresTarget } from '../../../src/engines/postgres/transfer/target.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { lineTo } from './proxy.ts';

const test = await testsOnPostgres();
const SOURCE = { identity: 'one that is copied', source: 'a test' };

/** Far longer than a copy waits. */
const HANGS = 30_000;

test('a copy ends although its server has stopped answering', async (t, server) => {
  const line = await lineTo(t, await server.freshDatabase());
  const target = await postgresTarget(line.url, SOURCE);
  line.freeze();
  const ended = await Promise.race([target.close().then(() => true), pause(HANGS, false, { ref: false })]);
  assert.equal(ended, true);
});
