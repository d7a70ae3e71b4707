import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LatestEvents } from '../../../../src/core/storage/events.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { append, type MakeStore, MINUTE, NOW } from './samples.ts';

const reasons = async (store: Store, filter: Partial<LatestEvents>) =>
  (await store.read((unit) => unit.events.latest({ limit: 100, ...filter }))).map(({ reason }) => reason);

/** The latest events come first, by user, kind, address and time, page by page. */
export function eventsLatestFirst(make: MakeStore): void {
  test('the latest events come first, and a filter keeps what it names', async (t) => {
    const store = await make(t);
    await append(
      store,
      { at: NOW, kind: 'login', user: 'Ada', from: '192.0.2.1', reason: 'one' },
      { at: NOW + MINUTE, kind: 'logout', user: 'ada', from: '192.0.2.1', reason: 'two', actor: 'root' },
      { at: NOW + MINUTE, kind: 'login', user: 'ben', from: '192.0.2.2', reason: 'three' },
      { at: NOW + 2 * MINUTE, kind: 'login', user: 'ada', from: '192.0.2.2', reason: 'four' },
    );
    assert.deepEqual(await reasons(store, {}), ['four', 'three', 'two', 'one']);
    assert.deepEqual(await reasons(store, { user: 'ADA' }), ['four', 'two', 'one']);
    assert.deepEqual(await reasons(store, { kind: 'login' }), ['four', 'three', 'one']);
    assert.deepEqual(await reasons(store, { from: '192.0.2.1' }), ['two', 'one']);
    assert.deepEqual(await reasons(store, { from: '192.0.2.2', kind: 'login', user: 'ben' }), ['three']);
    assert.deepEqual(await reasons(store, { since: NOW + MINUTE, until: NOW + 2 * MINUTE }), [
      'three',
      'two',
    ]);
    assert.deepEqual(await reasons(store, { kind: ['logout', 'login'] }), ['four', 'three', 'two', 'one']);
    assert.deepEqual(await reasons(store, { kind: ['logout', 'lock'], user: 'ada' }), ['two']);
    assert.deepEqual(await reasons(store, { from: '192.0.2.2', user: 'ADA' }), ['four']);
    assert.deepEqual(await reasons(store, { from: '192.0.2.1', since: NOW + 1 }), ['two']);
    assert.deepEqual(await reasons(store, { limit: 1 }), ['four']);
    const page = await store.read((unit) => unit.events.latest({ limit: 2 }));
    assert.deepEqual(await reasons(store, { before: page.at(-1) }), ['two', 'one']);
    const [four, ...older] = await store.read((unit) => unit.events.latest({ user: 'ada', limit: 3 }));
    assert.deepEqual(await reasons(store, { user: 'ada', before: four, limit: 1 }), ['two']);
    assert.deepEqual(await reasons(store, { user: 'ada', before: older[0] }), ['one']);
    const [, two] = await store.read((unit) => unit.events.latest({ user: 'ada', limit: 2 }));
    assert.equal(two?.actor, 'root');
  });
}
