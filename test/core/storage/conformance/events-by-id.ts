import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../../src/core/storage/store.ts';
import { append, type MakeStore, MINUTE, NOW } from './samples.ts';

const appended = (store: Store, after: number | undefined, limit = 100) =>
  store.read((unit) => unit.events.appended(after, limit));

/** Events are followed by their ids: in the order of their appending, whatever their times say. */
export function eventsById(make: MakeStore): void {
  test('events are followed in the order of their appending', async (t) => {
    const store = await make(t);
    assert.deepEqual(await appended(store, undefined), []);
    await append(store, { at: NOW, kind: 'login', reason: 'one' });
    await append(store, { at: NOW + MINUTE, kind: 'login', reason: 'two', actor: 'root' });
    await append(store, { at: NOW - MINUTE, kind: 'login', reason: 'three' });
    const reasons = async (after: number | undefined, limit?: number) =>
      (await appended(store, after, limit)).map(({ reason }) => reason);
    assert.deepEqual(await reasons(undefined), ['three']);
    assert.deepEqual(await reasons(0), ['one', 'two', 'three']);
    assert.deepEqual(await reasons(0, 2), ['one', 'two']);
    const [one, two] = await appended(store, 0);
    assert.equal(two?.actor, 'root');
    assert.deepEqual(await reasons(one?.id), ['two', 'three']);
    const [newest] = await appended(store, undefined);
    assert.deepEqual(await appended(store, newest?.id), []);
  });

  test('an event that is counted again keeps its id', async (t) => {
    const store = await make(t);
    const event = { at: NOW, kind: 'ticket-refused', reason: 'unknown' } as const;
    await store.write((unit) => unit.events.tally(event, 1));
    const [first] = await appended(store, 0);
    await store.write((unit) => unit.events.tally(event, 2));
    assert.deepEqual(await appended(store, first?.id), []);
  });
}
