import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ServerClock, watchOver } from '../../../src/engines/postgres/open.ts';
import type { ReadPools } from '../../../src/engines/postgres/pools.ts';
import type { Revocations } from '../../../src/engines/postgres/revocations.ts';
import type { PostgresServers } from '../../../src/engines/postgres/servers.ts';

for (const [what, passed, paused, times] of [
  ['is measured anew once the machine was paused', 2_000, 30_000, 1],
  ['is left alone for most of a minute while the machine goes on', 58_000, 0, 0],
  ['is measured anew every minute while the machine goes on', 120_000, 0, 2],
] as const) {
  test(`the server's clock ${what}`, async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let measured = 0;
    const servers = { target: { watchEvery: 2_000 }, findNewerPrimary: async () => undefined };
    const pool = { touch: async () => undefined, rows: async () => [], connected: async () => undefined };
    const revocations = { upToDate: async () => undefined };
    const clock = {
      async measure() {
        measured += 1;
      },
    };
    const end = watchOver(
      servers as unknown as PostgresServers,
      { validations: pool, others: pool } as unknown as ReadPools,
      revocations as unknown as Revocations,
      clock as unknown as ServerClock,
    );
    const now = Date.now;
    t.mock.method(Date, 'now', () => now() + paused);
    t.mock.timers.tick(passed);
    await new Promise(setImmediate);
    assert.equal(measured, times);
    end();
  });
}
