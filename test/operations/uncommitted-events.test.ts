import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedEvent } from '../../src/domain/event.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import streamGet from '../../src/operations/admin/events/stream.get.ts';
import { callFor, gateOver, NOW, storeWith } from './gate-over.ts';

/** The reasons of the events that follow the first one, when the second one is missing and the third one is so old. */
async function followed(age: number): Promise<(string | undefined)[]> {
  const store = await storeWith();
  const gate = gateOver(store);
  const ask = async (query: Record<string, string>) => {
    const { result } = await gate.handlerFor(streamGet)({ ...callFor(streamGet), query });
    return isRefusal(result) ? assert.fail(result.refused) : result;
  };
  const append = (reason: string, at: number) =>
    store.write((unit) => unit.events.append({ at, kind: 'login', reason }));
  await append('first', NOW);
  const { goesOnAt: cursor = '' } = await ask({});
  await append('second', 0);
  await append('third', NOW - age);
  // As if its transaction had not been committed yet.
  await store.write((unit) => unit.events.sweep(1, 1));
  const { value, goesOnAt } = await ask({ cursor });
  const events = value as readonly RecordedEvent[];
  assert.equal(goesOnAt === cursor, events.length === 0);
  return events.map(({ reason }) => reason);
}

test('a stream waits for an event whose id was taken and that is not committed yet', async () => {
  assert.deepEqual(await followed(1_000), []);
});

test('a stream goes on without an event that was rolled back', async () => {
  assert.deepEqual(await followed(6_000), ['third']);
});
