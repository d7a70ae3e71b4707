import assert from 'node:assert/strict';
import { test } from 'node:test';
import { append, type MakeStore, MINUTE, NOW } from './samples.ts';

/** Events of a kind are counted in spans of time, and a tally as often as it happened. */
export function eventsAreCounted(make: MakeStore): void {
  test('events of a kind are counted in spans, each from its begin to before its end', async (t) => {
    const store = await make(t);
    const login = (at: number) => ({ at: NOW + at, kind: 'login' }) as const;
    const [end, other] = [3 * 5 * MINUTE, 6 * MINUTE];
    await append(
      store,
      login(-1),
      login(0),
      login(1),
      login(5 * MINUTE - 1),
      login(5 * MINUTE),
      login(end - 1),
    );
    await append(store, login(end), { at: NOW + other, kind: 'login-refused' });
    const counts = (spans: { since: number; step: number; number: number }) =>
      store.read(({ events }) => events.counts('login', spans));
    assert.deepEqual(await counts({ since: NOW, step: 5 * MINUTE, number: 3 }), [3, 1, 1]);
    assert.deepEqual(await counts({ since: NOW, step: 15 * MINUTE, number: 1 }), [5]);
    assert.deepEqual(await counts({ since: NOW - MINUTE, step: MINUTE, number: 2 }), [1, 2]);
    assert.deepEqual(await counts({ since: NOW + 60 * MINUTE, step: MINUTE, number: 2 }), [0, 0]);
    const refused = store.read(({ events }) =>
      events.counts('login-refused', { since: NOW, step: 5 * MINUTE, number: 2 }),
    );
    assert.deepEqual(await refused, [0, 1]);
  });

  test('a tally counts as often as it happened, in the span of its minute', async (t) => {
    const store = await make(t);
    const refused = { kind: 'login-refused', user: 'ada', reason: 'waiting' } as const;
    await store.write(async ({ events }) => {
      await events.append({ ...refused, at: NOW, reason: 'wrong-password' });
      await events.tally({ ...refused, at: NOW + 59_999 }, 7);
      await events.tally({ ...refused, at: NOW + MINUTE }, 2);
      await events.tally({ ...refused, at: NOW + MINUTE + 1 }, 3);
      await events.tally({ at: NOW, kind: 'ticket-refused', reason: 'unknown' }, 100);
    });
    const counts = (step: number, number: number) =>
      store.read(({ events }) => events.counts('login-refused', { since: NOW, step, number }));
    assert.deepEqual(await counts(MINUTE, 3), [8, 5, 0]);
    assert.deepEqual(await counts(60 * MINUTE, 1), [13]);
  });
}
