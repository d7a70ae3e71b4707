import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  byDigest,
  bytesOf,
  type Digest,
  digestFrom,
  drawTickets,
  endOf,
  isDigest,
  isOfProgram,
  liveAmong,
  makeTicket,
  maskedIfTicket,
  oldestFirst,
  parseTicket,
  shortDigest,
  stateOf,
  TICKET_BYTES,
  type TicketState,
  useIsDue,
} from '../../../src/core/domain/ticket.ts';
import { UNTIL_UNLOCKED, type User } from '../../../src/core/domain/user.ts';
import { digestLike, heldLike, ticketLike } from './samples.ts';

const HEX = '0123456789abcdef0123456789abcdef01234567';
const LIFETIME = { idle: 1_000, age: 5_000 };
const OFF = Number.POSITIVE_INFINITY;

test('a ticket is TICKET_ and 40 lower-case hex digits of 160 random bits', () => {
  assert.equal(TICKET_BYTES, 20);
  assert.equal(makeTicket(Buffer.from(HEX, 'hex')), `TICKET_${HEX}`);
  assert.equal(parseTicket(`TICKET_${HEX}`), `TICKET_${HEX}`);
});

test('a text of another form is no ticket', () => {
  for (const text of [
    '',
    'TICKET_',
    HEX,
    `TICKET_${HEX}0`,
    `TICKET_${HEX.slice(1)}`,
    `TICKET_${HEX.toUpperCase()}`,
    `ticket_${HEX}`,
    ` TICKET_${HEX}`,
    `TICKET_${HEX}\n`,
    `TICKET_${HEX.slice(1)}g`,
    `xTICKET_${HEX}`,
    `TICKET_${'\uff10'.repeat(40)}`,
  ]) {
    assert.equal(parseTicket(text), undefined, JSON.stringify(text));
  }
});

test('a digest has the digits of its bytes, also from a view of a larger buffer', () => {
  const bytes = Buffer.from(`00c0ffee${'1f'.repeat(28)}`, 'hex');
  assert.equal(digestFrom(bytes), `00c0ffee${'1f'.repeat(28)}`);
  assert.deepEqual(bytesOf(digestFrom(bytes)), bytes);
  const around = new Uint8Array(40).fill(0xee);
  around.set(bytes, 5);
  assert.equal(digestFrom(around.subarray(5, 37)), digestFrom(bytes));
});

test('digests sort like their bytes, and tickets first by age', () => {
  const bytes = [0x00, 0x09, 0x0a, 0x10, 0x7f, 0x80, 0x9f, 0xa0, 0xff];
  const sorted = bytes.map((byte) => ticketLike({ digest: digestLike(byte) }));
  assert.deepEqual(sorted.toReversed().sort(byDigest), sorted);
  assert.deepEqual(sorted.toReversed().sort(oldestFirst), sorted);
  const older = ticketLike({ digest: digestLike(0xff), issuedAt: -1 });
  assert.deepEqual([...sorted, older].sort(oldestFirst), [older, ...sorted]);
  assert.equal(byDigest(older, ticketLike({ digest: digestLike(0xff) })), 0);
});

test('logs and events show the first 8 digits of a digest', () => {
  assert.equal(shortDigest(`00c0ffee${'11'.repeat(28)}` as Digest), '00c0ffee');
});

const inGeneration = (generation: number) => ({ generation });
const STATES: readonly [string, ReturnType<typeof heldLike>, number, TicketState][] = [
  ['just issued', heldLike(), 0, 'valid'],
  ['a moment before its inactivity time', heldLike(), 999, 'valid'],
  ['at its inactivity time', heldLike(), 1_000, 'expired'],
  ['used since', heldLike({ usedAt: 900 }), 1_899, 'valid'],
  ['used all the time, a moment before its age', heldLike({ usedAt: 4_900 }), 4_999, 'valid'],
  ['used all the time, at its age', heldLike({ usedAt: 4_999 }), 5_000, 'expired'],
  ['of a user that is disabled', heldLike({}, { disabled: true }), 1, 'invalid'],
  ['of a user that is disabled, long ago', heldLike({}, { disabled: true }), 9_000, 'invalid'],
  ['of a user that is locked out', heldLike({}, { lockedUntil: 2 }), 1, 'suspended'],
  ['of a user whose lock has just ended', heldLike({}, { lockedUntil: 1 }), 1, 'valid'],
  ['of an older generation of its user', heldLike({}, inGeneration(1)), 1, 'invalid'],
  ['of the generation of its user', heldLike({ userGeneration: 1 }, inGeneration(1)), 1, 'valid'],
  ['of an older generation of the server', heldLike({}, {}, 1), 1, 'invalid'],
  ['of the generation of the server', heldLike({ serverGeneration: 1 }, {}, 1), 1, 'valid'],
];

for (const [which, held, now, state] of STATES) {
  test(`a ticket ${which} is ${state}`, () => {
    assert.equal(stateOf(held, now, LIFETIME), state);
  });
}

test('final states come before a suspension, and a revocation comes before an expiry', () => {
  const user = { lockedUntil: 9_999 } satisfies Partial<User>;
  assert.equal(stateOf(heldLike({}, { ...user, generation: 1 }), 9_000, LIFETIME), 'invalid');
  assert.equal(stateOf(heldLike({}, user, 1), 9_000, LIFETIME), 'invalid');
  assert.equal(stateOf(heldLike({}, { ...user, disabled: true }), 10, LIFETIME), 'invalid');
  assert.equal(stateOf(heldLike({}, user), 9_000, LIFETIME), 'expired');
  assert.equal(stateOf(heldLike({}, user), 10, LIFETIME), 'suspended');
});

test('a last use in the future counts as a use of now', () => {
  for (const ahead of [1, LIFETIME.idle, 400 * 86_400_000])
    assert.equal(stateOf(heldLike({ issuedAt: 0, usedAt: ahead }), 0, LIFETIME), 'valid');
});

test('a ticket that was issued further in the future than its age limit has expired', () => {
  const { age } = LIFETIME;
  const held = (issuedAt: number) => heldLike({ issuedAt, usedAt: issuedAt });
  assert.equal(stateOf(held(age - 1), 0, LIFETIME), 'valid');
  assert.equal(stateOf(held(age), 0, LIFETIME), 'expired');
  assert.equal(stateOf(held(age), 0, { ...LIFETIME, age: Number.POSITIVE_INFINITY }), 'valid');
});

test('a lock-out beyond the longest duration suspends no ticket: a clock was ahead', () => {
  const lifetime = { ...LIFETIME, lockoutDuration: 900_000 };
  const locked = (lockedUntil: number) => stateOf(heldLike({}, { lockedUntil }), 1, lifetime);
  assert.equal(locked(1 + 86_400_000), 'suspended');
  assert.equal(locked(2 + 86_400_000), 'valid');
  assert.equal(locked(UNTIL_UNLOCKED), 'suspended');
});

test('if tickets stay valid during a lock-out by failures, a lock by hand still suspends them, and disabling ends them', () => {
  const lifetime = { ...LIFETIME, throughLockOut: true };
  assert.equal(stateOf(heldLike({}, { lockedUntil: 2 }), 1, lifetime), 'valid');
  assert.equal(stateOf(heldLike({}, { lockedUntil: UNTIL_UNLOCKED }), 1, lifetime), 'suspended');
  assert.equal(stateOf(heldLike({}, { lockedUntil: 2, disabled: true }), 1, lifetime), 'invalid');
  assert.equal(stateOf(heldLike({}, { lockedUntil: 2, generation: 1 }), 1, lifetime), 'invalid');
  assert.equal(stateOf(heldLike({}, { lockedUntil: 9_999 }), 9_000, lifetime), 'expired');
});

test('a ticket of a removed user is invalid, however old it is', () => {
  const held = { ...heldLike(), user: undefined };
  for (const now of [0, 9_000]) assert.equal(stateOf(held, now, LIFETIME), 'invalid');
});

test('either limit of a lifetime can be off', () => {
  const century = 100 * 365 * 24 * 3_600_000;
  assert.equal(stateOf(heldLike(), century, { idle: OFF, age: OFF }), 'valid');
  assert.equal(stateOf(heldLike(), 5_000, { idle: OFF, age: 5_000 }), 'expired');
  assert.equal(stateOf(heldLike(), 4_999, { idle: OFF, age: 5_000 }), 'valid');
  assert.equal(stateOf(heldLike(), 1_000, { idle: 1_000, age: OFF }), 'expired');
  assert.equal(stateOf(heldLike({ usedAt: century }), century + 999, { idle: 1_000, age: OFF }), 'valid');
});

test('a use must be written once the written one is older than a tenth of the inactivity time', () => {
  const ticket = ticketLike({ usedAt: 5_000 });
  assert.equal(useIsDue(ticket, 5_000, LIFETIME), false);
  assert.equal(useIsDue(ticket, 5_100, LIFETIME), false);
  assert.equal(useIsDue(ticket, 5_101, LIFETIME), true);
  assert.equal(useIsDue(ticket, 9_000_000, { idle: OFF, age: 5_000 }), false);
});

test('between written uses a ticket never expires early by more than a tenth of its inactivity time', () => {
  for (let used = 0; used < LIFETIME.idle; used += 1) {
    if (useIsDue(ticketLike(), used, LIFETIME)) return;
    const early = used + LIFETIME.idle - 1;
    const lived = stateOf(heldLike(), early - LIFETIME.idle / 10, LIFETIME);
    assert.equal(lived, 'valid', `last used at ${used}, unwritten`);
  }
  assert.fail('no use was ever due');
});

test('a ticket that is used ends by its inactivity or by its age, whichever comes first', () => {
  const at = (usedAt: number) => ticketLike({ issuedAt: 0, usedAt });
  assert.equal(endOf(at(0), 500, LIFETIME), 1_500);
  assert.equal(endOf(at(4_500), 4_900, LIFETIME), 5_000);
  assert.equal(endOf(at(0), 500, { idle: OFF, age: 5_000 }), 5_000);
  assert.equal(endOf(at(0), 500, { idle: 1_000, age: OFF }), 1_500);
  assert.equal(endOf(at(0), 500, { idle: OFF, age: OFF }), OFF);
});

test('a use that need not be written does not change the end', () => {
  assert.equal(endOf(ticketLike({ issuedAt: 0, usedAt: 400 }), 450, LIFETIME), 1_400);
});

test('further tickets of the same bytes count up the last four, and begin again behind the last number', () => {
  const tickets = drawTickets(Buffer.from(`${HEX.slice(0, 32)}fffffffe`, 'hex'));
  const drawn = [1, 2, 3].map(() => tickets.next().value);
  assert.deepEqual(
    drawn,
    ['fffffffe', 'ffffffff', '00000000'].map((end) => `TICKET_${HEX.slice(0, 32)}${end}`),
  );
});

test('a ticket is of a program if an app password or an access token was exchanged for it', () => {
  const origin = { from: '192.0.2.1', program: undefined };
  assert.equal(isOfProgram({ ...origin, appPassword: undefined }), false);
  assert.equal(isOfProgram({ ...origin, appPassword: 'mail' }), true);
  assert.equal(isOfProgram({ ...origin, appPassword: undefined, tokenProvider: 'keycloak' }), true);
  assert.equal(isOfProgram({ ...origin, appPassword: undefined, application: 'grafana' }), true);
});

test('a digest has 64 lower-case hex digits', () => {
  assert.equal(isDigest(digestLike(0xab)), true);
  for (const text of ['', 'ab'.repeat(31), 'AB'.repeat(32), `${'ab'.repeat(32)}a`])
    assert.equal(isDigest(text), false);
});

test('the live tickets among those of a user are the valid ones, in the same order', () => {
  const tickets = [
    ticketLike({ digest: digestLike(3), usedAt: 500 }),
    ticketLike({ digest: digestLike(1), usedAt: -500 }),
    ticketLike({ digest: digestLike(2), usedAt: 400 }),
  ];
  const live = liveAmong(tickets, heldLike().user, 0, 1_200, LIFETIME);
  assert.deepEqual(live, [digestLike(3), digestLike(2)]);
});

test('a name that contains a ticket is masked', () => {
  assert.equal(maskedIfTicket('ann'), 'ann');
  assert.equal(maskedIfTicket(`my ticket_${HEX}`), '***');
});
