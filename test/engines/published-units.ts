import assert from 'node:assert/strict';
import { tracingChannel } from 'node:diagnostics_channel';
import type { Store } from '../../src/core/storage/store.ts';

/** Asserts that the store publishes its units: of each engine that takes part in one, its access and its end. */
export async function assertPublished(store: Store, ...engines: readonly string[]): Promise<void> {
  const said: unknown[] = [];
  const began = (unit: object) => void said.push({ ...unit });
  const ended = (unit: { error?: unknown }) => void said.push(unit.error ? 'failed' : 'ended');
  const { start, asyncEnd } = tracingChannel('tessera:store');
  start.subscribe(began as never);
  asyncEnd.subscribe(ended as never);
  try {
    for (const access of ['read', 'write'] as const) {
      said.length = 0;
      assert.equal(await store[access](async ({ users }) => await users.count()), 0);
      const all = engines.map((engine) => ({ engine, access }));
      assert.deepEqual(said, [...all, ...all.map(() => 'ended')]);
      said.length = 0;
      const failing = store[access](async () => assert.fail('as it is meant'));
      await assert.rejects(failing, /as it is meant/);
      assert.deepEqual(said, [...all, ...all.map(() => 'failed')]);
    }
  } finally {
    start.unsubscribe(began as never);
    asyncEnd.unsubscribe(ended as never);
  }
}
