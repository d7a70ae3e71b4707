import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { isRefusal } from '../../../src/core/domain/refusal.ts';
import { parseTicket, type Ticket } from '../../../src/core/domain/ticket.ts';
import { digestOf, findLive, issueTicket, systemRandom } from '../../../src/core/gate/tickets.ts';
import type { UserChange } from '../../../src/core/storage/store.ts';
import { Checking, HERE, HOUR, RIGHT } from '../identity/checking.ts';

const CHANCE = Buffer.from('0123456789abcdef0123456789abcdef01234567', 'hex');
const TICKET = `TICKET_${CHANCE.toString('hex')}` as Ticket;

/** A user whose password was verified, and the rules for tickets. */
async function verifiedUser() {
  const checking = new Checking();
  await checking.add('Ann');
  const verified = await checking.login('ann', RIGHT);
  if (isRefusal(verified)) return assert.fail('the password was refused');
  const rules = {
    lifetime: { idle: HOUR, age: 24 * HOUR },
    perUser: 0,
    whenFull: 'refuse',
    clock: () => checking.now,
    random: () => CHANCE,
  } as const;
  const client = { address: HERE, userAgent: undefined };
  const issue = () => checking.store.write((unit) => issueTicket(unit, verified, rules, client));
  const find = (text: string = TICKET) => checking.store.read((unit) => findLive(unit, text, rules));
  return { checking, issue, find };
}

test('the random source gives as many bytes as are asked for, never the same', () => {
  assert.equal(systemRandom(20).length, 20);
  assert.notDeepEqual(systemRandom(20), systemRandom(20));
});

test('of a ticket only its SHA-256 is kept', async () => {
  const { checking, issue } = await verifiedUser();
  const issued = await issue();
  assert.ok(!isRefusal(issued));
  assert.equal(issued.value.ticket, TICKET);
  assert.equal(digestOf(TICKET), createHash('sha256').update(TICKET).digest('hex'));
  const [row] = await checking.store.read((unit) => unit.tickets.page(undefined, 10));
  assert.equal(row?.ticket.digest, digestOf(TICKET));
  assert.ok(!JSON.stringify(row).includes(CHANCE.toString('hex')));
});

test('a ticket is issued now, to the user as it is now', async () => {
  const { checking, issue } = await verifiedUser();
  await checking.store.write((unit) => unit.tickets.raiseServerGeneration());
  const issued = await issue();
  assert.ok(!isRefusal(issued));
  const { ticket, user } = issued.issued ?? assert.fail();
  assert.equal(user.name, 'Ann');
  assert.deepEqual(
    [ticket.userId, ticket.userGeneration, ticket.serverGeneration, ticket.issuedAt, ticket.usedAt],
    [user.id, 0, 1, checking.now, checking.now],
  );
});

test('no ticket is issued to a user who has changed since the password was verified', async () => {
  const changes: [string, UserChange][] = [
    ['another password', { passwordHash: 'hash of another', generation: 1 }],
    ['disabled', { disabled: true }],
    ['locked out', { lockedUntil: Date.UTC(2030, 0, 1, 1) }],
  ];
  for (const [which, change] of changes) {
    const { checking, issue } = await verifiedUser();
    await checking.change('ann', change);
    const refused = await issue();
    assert.ok(isRefusal(refused), which);
    assert.deepEqual(
      [refused.refused, refused.reason, refused.user],
      ['login_failed', 'changed meanwhile', 'Ann'],
    );
    assert.deepEqual(await checking.store.read((unit) => unit.tickets.page(undefined, 10)), []);
  }
});

test('no ticket is issued to a user who is removed', async () => {
  const { checking, issue } = await verifiedUser();
  const { id } = await checking.user('ann');
  await checking.store.write((unit) => unit.users.remove(id));
  const refused = await issue();
  assert.ok(isRefusal(refused));
  assert.equal(refused.reason, 'changed meanwhile');
});

test('a live ticket is found with its user, a dead one with the reason', async () => {
  const { checking, issue, find } = await verifiedUser();
  assert.deepEqual(await find('TICKET_'), { dead: 'malformed' });
  assert.deepEqual(await find(), { dead: 'unknown' });
  await issue();
  const found = await find();
  assert.ok(!('dead' in found));
  assert.equal(found.user.name, 'Ann');
  await checking.change('ann', { disabled: true });
  assert.deepEqual(await find(), { dead: 'invalid' });
  await checking.change('ann', { disabled: false, lockedUntil: checking.now + 2 * HOUR });
  assert.deepEqual(await find(), { dead: 'suspended' });
  checking.now += HOUR;
  assert.deepEqual(await find(), { dead: 'expired' });
  await checking.change('ann', { generation: 1 });
  assert.deepEqual(await find(), { dead: 'invalid' });
});

test('a text that is no ticket never reaches the store', async () => {
  const { checking } = await verifiedUser();
  const unreachable = { tickets: { find: () => assert.fail('the store was asked') } } as never;
  const rules = { lifetime: { idle: 1, age: 1 }, clock: () => checking.now } as never;
  for (const text of ['', 'TICKET_', `${TICKET}0`, TICKET.toLowerCase(), "TICKET_' OR 1=1 --"]) {
    assert.equal(parseTicket(text), undefined);
    assert.deepEqual(await findLive(unreachable, text, rules), { dead: 'malformed' });
  }
});
