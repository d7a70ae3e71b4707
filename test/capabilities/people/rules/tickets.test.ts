import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  endOtherTickets,
  endOwnTicket,
  ownTickets,
} from '../../../../src/capabilities/people/rules/tickets.ts';
import { UNCHANGED } from '../../../../src/core/domain/outcome.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import {
  type HeldTicket,
  type KeptTicket,
  shortDigest,
  stateOf,
  type TicketAndOwner,
  type TicketOrigin,
} from '../../../../src/core/domain/ticket.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import {
  aDigest,
  addUser,
  aTicket,
  issue,
  issueFrom,
  MINUTE,
  NOW,
} from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';

const LIFETIME = { idle: 60 * MINUTE, age: 600 * MINUTE };
const HOME: TicketOrigin = { from: '192.0.2.1', program: 'curl/8.5.0', appPassword: undefined };

const stateNow = (kept: TicketAndOwner) => stateOf(kept, NOW + MINUTE, LIFETIME);
const named = (n: number) => shortDigest(aDigest(n));

/** The ticket as its look-up finds it. */
async function heldIn(store: Store, n: number): Promise<HeldTicket> {
  return (await store.read((unit) => unit.tickets.find(aDigest(n)))) ?? assert.fail(`ticket ${n} is gone`);
}

async function listed(store: Store, n: number) {
  const held = await heldIn(store, n);
  return (await store.read((unit) => ownTickets(unit, held, stateNow, 10))).tickets;
}

/** The user ada with tickets 1 to 3, of which 1 is presented, and ben with ticket 4. */
async function filled() {
  const store = openMemory();
  const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
  await issueFrom(store, HOME, aTicket(1, ada));
  await issue(store, aTicket(2, ada), aTicket(3, ada, { usedAt: NOW + 5 }), aTicket(4, ben));
  return { store, ada, ben, held: await heldIn(store, 1) };
}

test('users see their own valid tickets with origin, the presented one first, then the last used one', async () => {
  const { store, ada } = await filled();
  const dead: KeptTicket[] = [
    aTicket(5, ada, { usedAt: NOW - LIFETIME.idle }),
    aTicket(6, ada, { userGeneration: -1 }),
  ];
  await issue(store, ...dead);
  assert.deepEqual(await listed(store, 1), [
    { ticket: aTicket(1, ada), origin: HOME, current: true },
    { ticket: aTicket(3, ada, { usedAt: NOW + 5 }), origin: undefined, current: false },
    { ticket: aTicket(2, ada), origin: undefined, current: false },
  ]);
});

test('a user ends one own ticket, and no other user’s', async () => {
  const { store, held } = await filled();
  const end = (digest: string) => store.write((unit) => endOwnTicket(unit, held, digest, stateNow));
  const reason = `by ticket ${named(1)}`;
  assert.deepEqual(await end(named(2)), {
    events: [{ kind: 'logout', user: 'ada', digest: named(2), reason }],
  });
  for (const other of [named(2), named(4), aDigest(3), '']) {
    const outcome = await end(other);
    assert.ok(isRefusal(outcome) && outcome.refused === 'ticket_not_found', other);
  }
  assert.equal((await listed(store, 4)).length, 1);
  assert.deepEqual(await end(named(1)), {
    events: [{ kind: 'logout', user: 'ada', digest: named(1), reason: undefined }],
  });
});

test('a user ends all own tickets but the presented one, which stays valid', async () => {
  const { store, held } = await filled();
  const end = () => store.write((unit) => endOtherTickets(unit, held, stateNow));
  const { events } = await end();
  assert.deepEqual(events.map(({ kind, user, digest }) => [kind, user, digest]).sort(), [
    ...[2, 3].map((n) => ['logout', 'ada', named(n)]).sort(),
  ]);
  const [left, ...more] = await listed(store, 1);
  assert.deepEqual([left?.current, left?.origin, more], [true, HOME, []]);
  assert.equal(stateNow(await heldIn(store, 3)), 'invalid');
  assert.equal(stateNow(await heldIn(store, 4)), 'valid');
  assert.deepEqual(await end(), UNCHANGED);
});

test('the end of very many tickets is one event', async () => {
  const { store, ada, held } = await filled();
  await issue(store, ...Array.from({ length: 100 }, (_, n) => aTicket(n + 10, ada)));
  const { events } = await store.write((unit) => endOtherTickets(unit, held, stateNow));
  assert.deepEqual(events, [{ kind: 'tickets-revoked', user: 'ada', reason: `by ticket ${named(1)}` }]);
});

test('of very many tickets the last used ones are listed, and the others are counted', async () => {
  const { store, held } = await filled();
  const { tickets, more } = await store.read((unit) => ownTickets(unit, held, stateNow, 2));
  assert.deepEqual([tickets.map(({ ticket }) => ticket.digest), more], [[aDigest(1), aDigest(3)], 1]);
});

test('a user without a password has one own ticket: others who log in as it see and end no other', async () => {
  const store = openMemory();
  const guest = await addUser(store, 'guest', { passwordHash: undefined });
  await issue(store, aTicket(1, guest), aTicket(2, guest));
  assert.deepEqual(await listed(store, 1), [{ ticket: aTicket(1, guest), origin: undefined, current: true }]);
  const held = await heldIn(store, 1);
  const other = await store.write((unit) => endOwnTicket(unit, held, named(2), stateNow));
  assert.ok(isRefusal(other) && other.refused === 'ticket_not_found');
  assert.deepEqual(await store.write((unit) => endOtherTickets(unit, held, stateNow)), UNCHANGED);
  assert.equal(stateNow(await heldIn(store, 2)), 'valid');
});
