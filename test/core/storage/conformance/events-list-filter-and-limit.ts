import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../../src/core/domain/event.ts';
import type { EventFilter } from '../../../../src/core/storage/events.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { append, type MakeStore, NOW } from './samples.ts';

const reasons = async (store: Store, filter: EventFilter) =>
  (await store.read((unit) => unit.events.list(filter))).map(({ reason }) => reason);

const at = (after: number, user?: string) =>
  ({ at: NOW + after, kind: 'login', user, reason: `${user} at ${after}` }) as const;

/** Events are listed oldest first, by user and by time, and page by page. */
export function eventsListFilterAndLimit(make: MakeStore): void {
  test('an event comes back as it was appended, counted once, under an id of its own', async (t) => {
    const store = await make(t);
    const whole = {
      at: NOW,
      kind: 'login',
      user: 'Ada',
      actor: 'root',
      from: '192.0.2.1',
      program: 'curl/8.5.0',
      digest: '0a1b2c3d',
      reason: `it's "so" <&> 😀`,
    } as const satisfies Required<Event>;
    const bare = { at: NOW + 1, kind: 'tickets-revoked' } as const;
    await append(store, whole, bare);
    const [first, second, ...more] = await store.read((unit) => unit.events.list({}));
    assert.ok(first && second && more.length === 0);
    assert.deepEqual(first, { ...whole, id: first.id, count: 1 });
    const nothing = {
      user: undefined,
      actor: undefined,
      from: undefined,
      program: undefined,
      digest: undefined,
      reason: undefined,
    };
    assert.deepEqual(second, { ...bare, ...nothing, id: second.id, count: 1 });
    assert.ok(second.id > first.id);
  });

  test('events are listed oldest first, those of one instant as they were appended', async (t) => {
    const store = await make(t);
    await append(store, at(5), at(1), at(9), at(5, 'ada'), at(5, 'ben'));
    assert.deepEqual(await reasons(store, {}), [
      'undefined at 1',
      'undefined at 5',
      'ada at 5',
      'ben at 5',
      'undefined at 9',
    ]);
  });

  test('events are filtered by user, in whatever case and composition', async (t) => {
    const store = await make(t);
    await append(store, at(1, 'Zoë'), at(2, 'zo'), at(3), at(4, 'ZOE\u0308'), at(5, 'Zoë 2'));
    for (const user of ['zoë', 'ZOË', 'Zoe\u0308'])
      assert.deepEqual(await reasons(store, { user }), ['Zoë at 1', 'ZOE\u0308 at 4']);
    assert.deepEqual(await reasons(store, { user: 'nobody' }), []);
    assert.deepEqual(await reasons(store, { user: '%' }), []);
  });

  test('events are listed from an instant on, that instant included', async (t) => {
    const store = await make(t);
    await append(store, at(1), at(2), at(3));
    assert.deepEqual(await reasons(store, { since: NOW + 2 }), ['undefined at 2', 'undefined at 3']);
    assert.deepEqual(await reasons(store, { since: NOW + 4 }), []);
  });

  test('a limit leaves the oldest, and what comes behind one that was listed begins with the next', async (t) => {
    const store = await make(t);
    await append(store, at(3), at(1), at(2), at(2, 'ada'));
    assert.deepEqual(await reasons(store, { limit: 2 }), ['undefined at 1', 'undefined at 2']);
    const [, after] = await store.read((unit) => unit.events.list({ limit: 2 }));
    assert.ok(after);
    assert.deepEqual(await reasons(store, { after, limit: 2 }), ['ada at 2', 'undefined at 3']);
    assert.deepEqual(await reasons(store, { after, since: NOW, user: 'ADA' }), ['ada at 2']);
    assert.deepEqual(await reasons(store, { limit: 9 }), await reasons(store, {}));
    assert.deepEqual(await reasons(store, { limit: 0 }), []);
  });

  test('user, instant and limit go together', async (t) => {
    const store = await make(t);
    await append(store, at(1, 'ada'), at(2, 'ada'), at(3, 'ben'), at(4, 'ada'), at(5, 'ada'), at(6, 'ben'));
    const filter = { user: 'ADA', since: NOW + 2, limit: 2 };
    assert.deepEqual(await reasons(store, filter), ['ada at 2', 'ada at 4']);
  });
}
