import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTicket, shortDigest, type Ticket } from '../../../../src/core/domain/ticket.ts';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import { digestOf } from '../../../../src/core/gate/tickets.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { openSqlite } from '../../../service/stores.ts';
import { ask as fetched, logIn } from '../../../service/talk.ts';
import { assertSound } from '../scenario.ts';
import { eventsAtEnd, startGateway } from './gateway.ts';

const UNKNOWN = `TICKET_${'0'.repeat(40)}`;

test('a revoked ticket is dead for the next request, and there is one event of it', async (t) => {
  const gateway = await startGateway(t);
  const { service, revoke } = gateway;
  await service.addUser('mia');
  const [ticket, other] = [await logIn(service.url, 'mia'), await logIn(service.url, 'mia')];
  const heard = await revoke(ticket);
  assert.deepEqual([heard.status, heard.text], [200, '{}']);
  assertSound(heard);
  const validated = async (which: string) =>
    (await fetched(`${service.url}/api/login/ticket/${which}?alf_ticket=${which}`)).status;
  assert.equal(await validated(ticket), 401);
  assert.equal(await validated(other), 200);
  assert.equal((await revoke(ticket)).status, 200);
  const digest = shortDigest(digestOf(ticket as Ticket));
  const told = (await eventsAtEnd(gateway)).filter(({ kind }) => kind === 'ticket-revoked');
  assert.deepEqual(
    told.map(({ id: _, at: __, ...event }) => event),
    [
      {
        kind: 'ticket-revoked',
        user: 'mia',
        actor: undefined,
        from: '127.0.0.1',
        program: undefined,
        digest,
        reason: 'gateway',
        count: 1,
      },
    ],
  );
});

test('a dead ticket gets the same answer as a live one', async (t) => {
  const { revoke } = await startGateway(t);
  for (const token of [UNKNOWN, 'x', 'ü', '\0', UNKNOWN.toLowerCase()]) {
    const { status, text } = await revoke(token);
    assert.deepEqual([status, text], [200, '{}'], token);
  }
});

test('a suspended ticket that is revoked does not come back with its user', async (t) => {
  const { service, revoke, introspect } = await startGateway(t);
  const ticket = await logIn(service.url);
  const lock = (lockedUntil: number) => service.store.write((unit) => unit.users.change(1, { lockedUntil }));
  await lock(UNTIL_UNLOCKED);
  assert.equal((await revoke(ticket)).status, 200);
  await lock(0);
  assert.equal(await introspect(ticket), '{"active":false}');
});

test('once a revocation is answered, every other process on the data folder finds the ticket dead', async (t) => {
  const { service, revoke } = await startGateway(t);
  const ticket = parseTicket(await logIn(service.url)) as Ticket;
  const other = openSqlite(service.data);
  afterwards(t, () => other.close());
  const found = () => other.read((unit) => unit.tickets.find(digestOf(ticket)));
  assert.notEqual(await found(), undefined);
  await revoke(ticket);
  assert.equal(await found(), undefined);
});

test('a store that cannot answer is 503, so that the client tries again', async (t) => {
  const { service, revoke } = await startGateway(t);
  const ticket = await logIn(service.url);
  await service.store.close();
  const { status, text } = await revoke(ticket);
  assert.deepEqual([status, JSON.parse(text).error], [503, 'temporarily_unavailable']);
});
