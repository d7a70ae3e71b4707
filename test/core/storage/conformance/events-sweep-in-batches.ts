import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, contents, type MakeStore, NOW } from './samples.ts';

/** Old events are removed in batches of a given size. Events at the instant or after it stay. */
export function eventsSweepInBatches(make: MakeStore): void {
  test('old events are removed up to the limit at a time, until none is left', async (t) => {
    const store = await make(t);
    const old = Array.from({ length: 7 }, (_, n) => ({ at: NOW - 1 - n, kind: 'login' }) as const);
    await append(store, ...old, { at: NOW, kind: 'logout' }, { at: NOW + 1, kind: 'logout' });
    const removed = [];
    for (let batch = 0; batch < 4; batch++)
      removed.push(await store.write((unit) => unit.events.sweep(NOW, 3)));
    assert.deepEqual(removed, [3, 3, 1, 0]);
    const left = await store.read((unit) => unit.events.list({}));
    assert.deepEqual(
      left.map(({ at }) => at - NOW),
      [0, 1],
    );
    await append(store, { at: NOW + 1, kind: 'login' });
    const listed = await store.read((unit) => unit.events.list({}));
    assert.deepEqual(
      listed.map(({ kind }) => kind),
      ['logout', 'logout', 'login'],
    );
  });

  test('counted rows are swept like any other', async (t) => {
    const store = await make(t);
    await store.write((unit) => unit.events.tally({ at: NOW - 1, kind: 'ticket-refused' }, 9));
    assert.equal(await store.write((unit) => unit.events.sweep(NOW, 5)), 1);
    assert.equal((await contents(store)).events, 0);
  });
}
