import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../../../src/core/domain/event.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { append, type MakeStore, MINUTE, NOW } from './samples.ts';

const TRY: Event = { at: NOW, kind: 'login-refused', user: 'ada', from: '192.0.2.1', reason: 'waiting' };

const tally = (store: Store, event: Event, times: number) =>
  store.write((unit) => unit.events.tally(event, times));
const counts = async (store: Store) =>
  (await store.read((unit) => unit.events.list({}))).map(({ count }) => count);

/** Attempts that are counted have one row for each kind, user, place, reason and minute. */
export function tallyOneRowAMinute(make: MakeStore): void {
  test('counts of one minute go onto one row, which keeps its first instant', async (t) => {
    const store = await make(t);
    await tally(store, { ...TRY, at: NOW + 1 }, 3);
    await tally(store, { ...TRY, at: NOW + MINUTE - 1 }, 4);
    const [row, ...more] = await store.read((unit) => unit.events.list({}));
    assert.deepEqual(row, {
      ...TRY,
      at: NOW + 1,
      program: undefined,
      digest: undefined,
      actor: undefined,
      id: row?.id,
      count: 7,
    });
    assert.equal(more.length, 0);
  });

  test('counts within one unit go onto one row as well', async (t) => {
    const store = await make(t);
    await store.write(async ({ events }) => {
      await events.tally(TRY, 1);
      await events.tally(TRY, 1);
    });
    assert.deepEqual(await counts(store), [2]);
  });

  const others: Record<string, Partial<Event>> = {
    'another minute': { at: NOW + MINUTE },
    'another kind': { kind: 'ticket-refused' },
    'another user': { user: 'ben' },
    'another place': { from: '192.0.2.2' },
    'another reason': { reason: 'locked' },
    'no user': { user: undefined },
    'no place': { from: undefined },
  };
  for (const [what, other] of Object.entries(others)) {
    test(`${what} has a row of its own`, async (t) => {
      const store = await make(t);
      await tally(store, TRY, 2);
      for (const times of [3, 4]) await tally(store, { ...TRY, ...other }, times);
      assert.deepEqual((await counts(store)).sort(), [2, 7]);
    });
  }

  test('events without user and place are counted on one row too', async (t) => {
    const store = await make(t);
    for (const times of [1, 2]) await tally(store, { at: NOW, kind: 'ticket-refused' }, times);
    assert.deepEqual(await counts(store), [3]);
  });

  const programs: Record<
    string,
    readonly [sent: readonly (string | undefined)[], counted: string | undefined]
  > = {
    'names the program that all calls had': [['curl/8', 'curl/8', 'curl/8'], 'curl/8'],
    'names no program if one call had another': [['curl/8', 'wget/1', 'curl/8'], undefined],
    'names no program if one call had none': [['curl/8', undefined, 'curl/8'], undefined],
  };
  for (const [what, [[first, ...more], counted]] of Object.entries(programs)) {
    test(`a counted row ${what}`, async (t) => {
      const store = await make(t);
      await tally(store, { ...TRY, program: first }, 1);
      await store.write(async ({ events }) => {
        for (const program of more) await events.tally({ ...TRY, program }, 1);
      });
      const [row] = await store.read((unit) => unit.events.list({}));
      assert.deepEqual([row?.program, row?.count], [counted, 3]);
    });
  }

  test('an appended event is never counted onto, nor does it join a counted row', async (t) => {
    const store = await make(t);
    await append(store, TRY);
    await tally(store, TRY, 5);
    await append(store, TRY, TRY);
    assert.deepEqual((await counts(store)).sort(), [1, 1, 1, 5]);
  });
}
