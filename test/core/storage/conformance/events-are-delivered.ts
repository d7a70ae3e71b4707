import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TakenDelivery } from '../../../../src/capabilities/webhooks/tables/webhooks.ts';
import type { EventKind } from '../../../../src/core/domain/event.ts';
import type { Store, WriteUnit } from '../../../../src/core/storage/store.ts';
import { append, type MakeStore, MINUTE, NOW } from './samples.ts';

const UNTIL = NOW + 10 * MINUTE;
const LATER = NOW + 5 * MINUTE;

const register = (store: Store, receivers: Readonly<Record<string, readonly EventKind[]>>) =>
  store.write((unit) =>
    unit.webhooks.setReceivers(Object.entries(receivers).map(([id, kinds]) => ({ id, kinds }))),
  );
const take = (store: Store, receiver = 'siem', now = LATER, until = UNTIL, limit = 100) =>
  store.write((unit) => unit.webhooks.take(receiver, now, until, limit));
const due = (store: Store, now = LATER) => store.read((unit) => unit.webhooks.due(now));
const states = (store: Store) => store.read((unit) => unit.webhooks.list());
const reasonsOf = (taken: readonly TakenDelivery[]) => taken.map(({ event }) => event.reason).sort();
const hooks = (store: Store, work: (webhooks: WriteUnit['webhooks']) => Promise<unknown>) =>
  store.write((unit) => work(unit.webhooks));
const takenOne = async (store: Store) => {
  const [taken] = await take(store);
  assert.ok(taken !== undefined);
  return taken;
};

/** A store with one receiver and one event. */
async function withOne(store: Store): Promise<Store> {
  await register(store, { siem: [] });
  await append(store, { at: NOW, kind: 'login', reason: 'one' });
  return store;
}

function additions(make: MakeStore): void {
  test('an event adds a delivery for each receiver of its kind, with every member of the event but the ticket', async (t) => {
    const store = await make(t);
    await append(store, { at: NOW, kind: 'login', reason: 'before there was a receiver' });
    await register(store, { siem: [], locks: ['lock', 'unlock'], log: ['login'] });
    const who = { user: 'ada', actor: 'root', from: '192.0.2.1', program: 'curl/8.5.0' };
    const login = { at: NOW, kind: 'login', ...who } as const;
    await append(store, { ...login, digest: 'abcdef01', reason: 'by ldap' }, { at: NOW, kind: 'unlock' });
    assert.deepEqual(await due(store), ['locks', 'log', 'siem']);
    assert.deepEqual(await due(store, NOW - 1), []);
    const [delivery, ...more] = await take(store, 'log');
    const id = delivery?.event.id;
    const event = { id, ...login, reason: 'by ldap', count: 1 };
    assert.deepEqual(delivery, { receiver: 'log', event, attempt: 1, takenUntil: UNTIL });
    assert.equal(more.length, 0);
    assert.deepEqual(
      (await take(store, 'locks')).map(({ event: { kind } }) => kind),
      ['unlock'],
    );
    assert.equal((await take(store)).length, 2);
  });

  test('a delivery is kept or undone with the part of the unit that wrote its event', async (t) => {
    const store = await make(t);
    await register(store, { siem: [] });
    await store.write(async (unit) => {
      await unit.events.append({ at: NOW, kind: 'login', reason: 'kept' });
      await unit.aside(async () => {
        await unit.events.append({ at: NOW, kind: 'login', reason: 'undone' });
        throw new Error('aside');
      });
    });
    const failing = store.write(async (unit) => {
      await unit.events.append({ at: NOW, kind: 'login', reason: 'rolled back' });
      throw new Error('the unit');
    });
    await assert.rejects(failing, /the unit/);
    assert.deepEqual(reasonsOf(await take(store)), ['kept']);
  });

  test('a tally is due once, with its count and the program of all its calls, 15 seconds after its minute', async (t) => {
    const store = await make(t);
    await register(store, { siem: [] });
    const refused = { at: NOW + 1, kind: 'ticket-refused', reason: 'unknown', program: 'curl/8' } as const;
    await store.write((unit) => unit.events.tally(refused, 2));
    await store.write((unit) => unit.events.tally({ ...refused, program: 'wget/1' }, 3));
    assert.deepEqual(await due(store, NOW + 75_000 - 1), []);
    const taken = await take(store, 'siem', NOW + 75_000);
    assert.deepEqual(
      taken.map(({ event: { count, program } }) => [count, program]),
      [[5, undefined]],
    );
    await hooks(store, (webhooks) => webhooks.delivered(taken[0] as TakenDelivery));
    await store.write((unit) => unit.events.tally(refused, 1));
    assert.deepEqual(await take(store, 'siem', UNTIL), []);
  });

  test('a receiver that goes takes its deliveries along, and the others keep theirs', async (t) => {
    const store = await make(t);
    await register(store, { siem: [], other: [] });
    await append(store, { at: NOW, kind: 'login', reason: 'one' });
    await register(store, { other: ['logout'] });
    await append(store, { at: NOW, kind: 'login', reason: 'of another kind now' });
    await register(store, { other: ['logout'], siem: [] });
    assert.deepEqual(await take(store), []);
    assert.deepEqual(reasonsOf(await take(store, 'other')), ['one']);
    assert.deepEqual(
      (await states(store)).map(({ id, kinds }) => [id, kinds]),
      [
        ['other', ['logout']],
        ['siem', []],
      ],
    );
  });
}

function taking(make: MakeStore): void {
  test('a delivery that is taken is not taken again until its time is over', async (t) => {
    const store = await withOne(await make(t));
    const first = await takenOne(store);
    assert.deepEqual(await take(store), []);
    assert.deepEqual(await due(store), []);
    const [again] = await take(store, 'siem', UNTIL, UNTIL + MINUTE);
    assert.equal(again?.attempt, 2);
    for (const work of ['postpone', 'giveUp'] as const)
      await hooks(store, (webhooks) => webhooks[work](first, NOW));
    assert.deepEqual(await take(store, 'siem', UNTIL), [], 'the first taker changes nothing any more');
    assert.equal((await states(store))[0]?.dead, 0);
    await hooks(store, (webhooks) => webhooks.delivered(first));
    assert.equal((await states(store))[0]?.waiting, 0);
  });

  test('takers at the same time share the deliveries, and each is taken once', async (t) => {
    const store = await make(t);
    await register(store, { siem: [] });
    for (let n = 0; n < 20; n += 1) await append(store, { at: NOW + n, kind: 'login', reason: `${n}` });
    const taken = await Promise.all([1, 2, 3, 4].map(() => take(store, 'siem', LATER, UNTIL, 6)));
    const left = await take(store);
    const all = [...taken.flat(), ...left].map(({ event }) => event.id);
    assert.equal(all.length, 20);
    assert.equal(new Set(all).size, 20);
  });

  test('the deliveries that are due for longest are taken first', async (t) => {
    const store = await make(t);
    await register(store, { siem: [] });
    for (const n of [3, 1, 2]) await append(store, { at: NOW + n, kind: 'login', reason: `${n}` });
    assert.deepEqual(reasonsOf(await take(store, 'siem', LATER, UNTIL, 2)), ['1', '2']);
  });
}

function outcomes(make: MakeStore): void {
  test('a delivery that is postponed is due then, and one that is given up is kept', async (t) => {
    const store = await withOne(await make(t));
    const taken = await takenOne(store);
    await hooks(store, (webhooks) => webhooks.postpone(taken, UNTIL + 1));
    assert.deepEqual(await due(store, UNTIL), []);
    const [again] = await take(store, 'siem', UNTIL + 1, UNTIL + 2);
    assert.equal(again?.attempt, 2);
    await hooks(store, (webhooks) => webhooks.giveUp(again as TakenDelivery, NOW));
    assert.deepEqual(await due(store, UNTIL + MINUTE), []);
    const [state] = await states(store);
    assert.deepEqual([state?.waiting, state?.oldestAt, state?.dead], [0, undefined, 1]);
  });

  test('a delivery that is tried again counts its attempts anew: dead ones alone, or all', async (t) => {
    const store = await withOne(await make(t));
    const dead = await takenOne(store);
    await hooks(store, (webhooks) => webhooks.giveUp(dead, NOW));
    await append(store, { at: NOW + 7, kind: 'logout', reason: 'two' });
    await take(store);
    assert.equal(await hooks(store, (webhooks) => webhooks.retry('siem', 'dead', NOW)), 1);
    const [one, ...none] = await take(store);
    assert.deepEqual([one?.event.reason, one?.attempt, none.length], ['one', 1, 0]);
    assert.equal(await hooks(store, (webhooks) => webhooks.retry('siem', 'all', NOW)), 2);
    assert.deepEqual(
      (await take(store)).map(({ attempt }) => attempt),
      [1, 1],
    );
    const [state] = await states(store);
    assert.deepEqual([state?.waiting, state?.oldestAt, state?.dead], [2, NOW, 0]);
  });

  test('events of the past can be added, and one that is there is due anew', async (t) => {
    const store = await make(t);
    await append(store, {
      at: NOW,
      kind: 'login',
      user: 'ada',
      reason: 'old',
      actor: 'root',
      from: 'b',
      program: 'c',
    });
    await register(store, { siem: [] });
    const [event] = await store.read((unit) => unit.events.appended(0, 1));
    for (let n = 0; n < 2; n += 1) {
      await hooks(store, (webhooks) => webhooks.enqueue('siem', event === undefined ? [] : [event], LATER));
      const { event: told, attempt } = await takenOne(store);
      assert.deepEqual({ ...told, digest: undefined }, event);
      assert.equal(attempt, 1);
    }
  });

  test('a receiver that is gone gets no more events until it is resumed', async (t) => {
    const store = await withOne(await make(t));
    for (const at of [NOW, LATER]) await hooks(store, (webhooks) => webhooks.noteGone('siem', at));
    await hooks(store, (webhooks) => webhooks.noteFault('siem', LATER, 'answered 410'));
    await append(store, { at: NOW, kind: 'login', reason: 'meanwhile' });
    assert.deepEqual(await due(store), []);
    assert.deepEqual(await take(store), []);
    for (const at of [NOW, NOW - 1]) await hooks(store, (webhooks) => webhooks.noteDelivered('siem', at));
    const [{ goneAt, lastFault, deliveredAt } = {}] = await states(store);
    assert.deepEqual([goneAt, lastFault, deliveredAt], [NOW, { at: LATER, why: 'answered 410' }, NOW]);
    await hooks(store, (webhooks) => webhooks.resume('siem'));
    await append(store, { at: NOW, kind: 'login', reason: 'after' });
    assert.deepEqual(reasonsOf(await take(store)), ['after', 'one']);
  });

  test('deliveries of old events are swept up to a limit, dead ones too', async (t) => {
    const store = await withOne(await make(t));
    const dead = await takenOne(store);
    await hooks(store, (webhooks) => webhooks.giveUp(dead, NOW));
    for (const n of [1, 2]) await append(store, { at: NOW + n, kind: 'login', reason: `${n}` });
    const sweep = () => store.write((unit) => unit.webhooks.sweep(NOW + 2, 1));
    assert.deepEqual([await sweep(), await sweep(), await sweep()], [1, 1, 0]);
    assert.deepEqual(reasonsOf(await take(store)), ['2']);
  });
}

/** The outbox: no event is forgotten, and none is taken twice at once. */
export function eventsAreDelivered(make: MakeStore): void {
  additions(make);
  taking(make);
  outcomes(make);
}
