import assert from 'node:assert/strict';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { testsOnOwnPostgres } from '../service/postgres.ts';
import { temporaryFolder } from '../service/start.ts';
import type { Instance } from './fleet.ts';
import { DURABLE, fleetOn } from './on-postgres.ts';
import { underLoad } from './scenario.ts';

const test = await testsOnOwnPostgres(...DURABLE);

/** The library that steps the clock of one process while it runs, as a bad time server steps that of a machine. */
const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

async function shownBy(instance: Instance): Promise<number> {
  const answer = await instance.line.ask({ path: '/api/server' });
  return Math.round(((answer?.date ?? 0) - Date.now()) / 60_000) || 0;
}

test('the clocks of instances are stepped by an hour, one forward and one back', async (t, server) => {
  if (library === undefined) {
    const why = 'no libfaketime (Debian: apt-get install faketime); TESSERA_TEST_ALL=1 makes that a failure';
    assert.notEqual(process.env.TESSERA_TEST_ALL, '1', why);
    return t.skip(why);
  }
  const folder = await temporaryFolder(t);
  const fileOf = (name: string) => join(folder, name);
  const step = (name: string, seconds: string) => writeFileSync(fileOf(name), `${seconds}\n`);
  for (const name of ['A', 'B', 'C']) step(name, '+0');
  const fleet = await fleetOn(t, await server.freshDatabase(), (name) => ({
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: fileOf(name),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Shorter than the step: an instance that judged by its own clock would find every ticket expired.
    TESSERA_TICKET_IDLE: 'PT20M',
    TESSERA_TICKET_AGE: 'PT40M',
  }));
  const book = await underLoad(t, fleet, {
    harmless: true,
    async strike(round) {
      const [ahead, behind] = round % 2 === 0 ? ['A', 'C'] : ['C', 'A'];
      step(ahead as string, '+3600');
      step(behind as string, '-3600');
      await pause(1_000);
      const shown = await Promise.all(fleet.instances.map(shownBy));
      assert.deepEqual(shown, round % 2 === 0 ? [60, 0, -60] : [-60, 0, 60], 'the clocks were not stepped');
    },
  });
  assert.equal(book.later, 0, 'a stepped clock is no reason to put anybody off');
});
