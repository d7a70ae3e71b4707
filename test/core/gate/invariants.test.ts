import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { HeldTicket } from '../../../src/core/domain/ticket.ts';
import type { ReadUnit, WriteUnit } from '../../../src/core/storage/store.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { ChangedStore, withTickets } from './changed-store.ts';

/** A service on a store that contradicts itself, as a test says, and tickets of two of its users. */
async function contradictory(t: TestContext) {
  const store = new ChangedStore();
  const service = await startTestService(t, {}, () => store);
  await service.addUser('ben');
  const tickets = [await logIn(service.url), await logIn(service.url, 'ben')] as const;
  const validate = (ticket: string) => ask(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
  const login = () => {
    const body = JSON.stringify({ username: 'ben', password: PASSWORD });
    return ask(`${service.url}/api/login`, { method: 'POST', body });
  };
  /** Does this, and returns its status, with what the violation left in the metrics and in the log. */
  async function violating(invariant: string, request: () => ReturnType<typeof ask>) {
    const metric = new RegExp(
      `^tessera_invariant_violations_total\\{invariant="${invariant}"\\} (\\d+)$`,
      'm',
    );
    const counted = async () => Number(metric.exec(await service.watched.metrics.text())?.[1]);
    const before = await counted();
    const { status } = await request();
    const fault = service.lines.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'fault');
    return { status, counted: (await counted()) - before, said: fault?.err?.message };
  }
  return { store, service, tickets, validate, login, violating };
}

const keptBy = (store: ChangedStore) => store.aside(({ tickets }) => tickets.page(undefined, 100));

/** The read unit, in which each look-up of a ticket returns what `found` makes of it. */
const withFound = (
  unit: ReadUnit,
  found: (digest: string) => HeldTicket | undefined | Promise<HeldTicket | undefined>,
): ReadUnit => ({ ...unit, tickets: { ...unit.tickets, find: found } });

test('a look-up that returns the ticket of somebody else is answered 500, counted, and logged without a secret', async (t) => {
  const { store, service, tickets, validate, violating } = await contradictory(t);
  const [, kept] = await keptBy(store);
  store.changeRead = (unit) => withFound(unit, () => unit.tickets.find(kept?.ticket.digest as never));
  const statuses = [];
  for (const ticket of tickets) {
    const { status, counted, said } = await violating('found_ticket', () => validate(ticket));
    statuses.push(status);
    if (status !== 200) {
      assert.equal(counted, 1);
      assert.match(said, /another ticket than the one that it was asked for/);
    }
  }
  assert.deepEqual(statuses.toSorted(), [200, 500], 'one of the tickets is the one that is found');
  assert.doesNotMatch(service.lines.join(''), /TICKET_[0-9a-f]/);
});

test('a look-up that returns the ticket with another user is answered 500', async (t) => {
  const { store, tickets, validate, violating } = await contradictory(t);
  const all = await keptBy(store);
  store.changeRead = (unit) =>
    withFound(unit, async (digest) => {
      const held = await unit.tickets.find(digest as never);
      const other = all.find(({ user }) => user?.id !== held?.user.id);
      return held && other?.user && { ...held, user: other.user };
    });
  for (const ticket of tickets) {
    const { status, counted } = await violating('ticket_user', () => validate(ticket));
    assert.deepEqual([status, counted], [500, 1]);
  }
});

const CONTRADICTIONS: Readonly<Record<string, (unit: WriteUnit) => WriteUnit>> = {
  login_user: (unit) => ({ ...unit, users: { ...unit.users, find: () => unit.users.findByKey('admin') } }),
  issued_ticket: (unit) =>
    withTickets(unit, {
      issue: async (ticket) => {
        await unit.tickets.issue(ticket);
        return '0'.repeat(64) as never;
      },
    }),
};

for (const [invariant, change] of Object.entries(CONTRADICTIONS))
  test(`a login that violates ${invariant} is answered 500, and no ticket is kept`, async (t) => {
    const { store, login, violating } = await contradictory(t);
    const before = await keptBy(store);
    store.change = change;
    const { status, counted } = await violating(invariant, login);
    assert.deepEqual([status, counted], [500, 1]);
    assert.deepEqual(await keptBy(store), before);
  });
