import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../../src/core/domain/refusal.ts';
import { serverIdentity } from '../../../src/core/domain/server-identity.ts';
import { makeTicket } from '../../../src/core/domain/ticket.ts';
import { Bookkeeping } from '../../../src/core/gate/bookkeeping.ts';
import { Gate } from '../../../src/core/gate/execute.ts';
import { digestOf } from '../../../src/core/gate/tickets.ts';
import type { AnyOperation } from '../../../src/core/operation.ts';
import validate from '../../../src/core/operations/loginticket.get.ts';
import type { ReadUnit } from '../../../src/core/storage/store.ts';
import { ticketLike, userLike } from '../domain/samples.ts';
import { ChangedStore } from './changed-store.ts';
import { WITHOUT_SERVICE } from './running-service.ts';

const LIFETIME = { idle: 3_600_000, age: 86_400_000 };
const TICKET = makeTicket(Buffer.alloc(20));

/** A store that knows whether a unit is open. */
class WatchedUnits extends ChangedStore {
  open = 0;

  override async read<T>(work: (unit: ReadUnit) => Promise<T>): Promise<T> {
    this.open += 1;
    try {
      return await super.read(work);
    } finally {
      this.open -= 1;
    }
  }
}

/** Calls an operation for users that prepares something, with this ticket of an administrator. Returns the outcome and what it did. */
async function called(presented: string, appPassword?: string) {
  const store = new WatchedUnits();
  await store.aside(async (unit) => {
    const { id: _, ...user } = userLike();
    await unit.users.add({ ...user, administrator: true });
    const ticket = ticketLike({ digest: digestOf(TICKET) });
    await unit.tickets.issue(ticket);
    await unit.tickets.setOrigin(ticket, { from: '127.0.0.1', program: undefined, appPassword });
  });
  const done: string[] = [];
  const prepares: AnyOperation = {
    ...validate,
    prepare: async ({ role }: { readonly role?: string }) =>
      void done.push(`prepared, ${store.open} units open, as ${role}`),
    perform: (context: never) => {
      done.push(`performed, ${store.open} units open`);
      return validate.perform(context);
    },
  };
  const onFault = (fault: unknown) => assert.fail(`a fault: ${fault}`);
  const gate = new Gate({
    ...{ store, operations: [], loginByGet: true, onFault },
    identity: serverIdentity({ edition: 'Tessera', version: '3.2.0 (2039)' }),
    namesCaseSensitive: false,
    allPeopleVisible: false,
    ...WITHOUT_SERVICE,
    // The preparation may use it, but does not here.
    passwords: { from: () => ({}) as never },
    rules: {
      ...{ lifetime: LIFETIME, perUser: 0, whenFull: 'refuse', clock: () => 1 },
      random: (bytes) => Buffer.alloc(bytes),
    },
    bookkeeping: new Bookkeeping(store, LIFETIME, onFault),
  });
  const { result } = await gate.handlerFor(prepares)({
    ...{ requestId: 'r-1', basePath: '', template: '/', path: { ticket: TICKET }, query: {} },
    body: () => ({ json: {} }),
    presented: { arguments: [presented], header: undefined },
    ...{ acceptLanguage: undefined, userAgent: undefined, address: '127.0.0.1', crossSite: undefined },
  });
  return { result: isRefusal(result) ? result.refused : 'done', done };
}

test('an operation prepares with no unit open, for an authenticated caller', async () => {
  assert.deepEqual(await called(TICKET), {
    result: 'done',
    done: ['prepared, 0 units open, as administrator', 'performed, 1 units open'],
  });
});

test('an operation prepares for a program without the role of its user', async () => {
  const { done } = await called(TICKET, 'mail');
  assert.equal(done[0], 'prepared, 0 units open, as undefined');
});

test('nothing is prepared for a caller who is not authenticated', async () => {
  assert.deepEqual(await called('nonsense'), { result: 'authentication_needed', done: [] });
});
