import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import { serverIdentity } from '../../src/domain/server-identity.ts';
import { makeTicket, type Ticket } from '../../src/domain/ticket.ts';
import { newUser } from '../../src/domain/user.ts';
import { Bookkeeping } from '../../src/gate/bookkeeping.ts';
import type { Call } from '../../src/gate/call.ts';
import { Gate } from '../../src/gate/execute.ts';
import { digestOf } from '../../src/gate/tickets.ts';
import { digestOfSecret } from '../../src/identity/client-secret.ts';
import type { AnyOperation, Authentication } from '../../src/operation.ts';
import { operations } from '../../src/operations/all.ts';
import { type WatchedStore, watchedStore } from './watched-store.ts';

const catalogue = loadCatalogue({ generation: '3.2', definitions: '', model: '' });
const NOW = Date.UTC(2026, 0, 1);
const LIFETIME = { idle: 3_600_000, age: 86_400_000 };
const TICKET = makeTicket(Buffer.alloc(20, 7));

const BARE: Call = {
  requestId: 'r-1',
  basePath: '',
  template: '',
  path: {},
  query: {},
  body: () => ({ json: undefined }),
  presented: { arguments: [], header: undefined },
  acceptLanguage: undefined,
  address: '127.0.0.1',
  crossSite: undefined,
};

const PRESENTED: Record<Authentication, Call['presented']> = {
  none: BARE.presented,
  user: { arguments: [TICKET], header: undefined },
  client: { arguments: [], header: { name: 'gateway', password: 'secret' } },
};

/** A call with all that the input of an operation can name, presenting what its level asks for. */
function callFor({ authentication }: AnyOperation): Call {
  return {
    ...BARE,
    path: {
      ticket: TICKET,
      ticketId: '-me-',
      actionDefinitionName: 'copy',
      actionDefinitionId: 'copy',
      name: ['login.get'],
    },
    query: { u: 'ann', pw: 'right' },
    body: () => ({ json: { username: 'ann', userId: 'ann', password: 'right', token: TICKET } }),
    presented: PRESENTED[authentication],
  };
}

async function storeWithTicket(ticket: Ticket): Promise<WatchedStore> {
  const store = watchedStore();
  await store.write(async (unit) => {
    const user = await unit.users.add(newUser('ann', { namesCaseSensitive: false, passwordHash: 'hash' }));
    const kept = { digest: digestOf(ticket), userId: user?.id ?? 0, userGeneration: 0, serverGeneration: 0 };
    await unit.tickets.issue({ ...kept, issuedAt: NOW, usedAt: NOW });
    await unit.clients.add({ name: 'gateway', secretDigest: digestOfSecret('secret'), addedAt: NOW });
  });
  store.units.length = 0;
  return store;
}

/** The gate over a store, with passwords that somebody else has checked. */
function gateOver(store: WatchedStore, faults: unknown[] = []): Gate {
  const onFault = (fault: unknown) => void faults.push(fault);
  const check = async () => ({ userId: 1, generation: 0, passwordHash: 'hash' });
  const random = (bytes: number) => Buffer.alloc(bytes, 9);
  return new Gate({
    store,
    passwords: { from: () => ({ check, checkRepeated: check, fromCache: async () => undefined }) },
    rules: { lifetime: LIFETIME, perUser: 1_000, whenFull: 'replace-oldest', clock: () => NOW, random },
    bookkeeping: new Bookkeeping(store, LIFETIME, onFault),
    catalogue: () => catalogue,
    operations,
    identity: serverIdentity({ edition: 'Tessera', version: '3.2.0 (2039)' }),
    loginByGet: true,
    onFault,
  });
}

for (const operation of operations) {
  test(`${operation.id}: opens ${operation.transaction === 'required' ? `exactly one unit, to ${operation.access}` : 'no unit'}`, async () => {
    const store = await storeWithTicket(TICKET);
    const { result } = await gateOver(store).handlerFor(operation)(callFor(operation));
    assert.ok(!isRefusal(result), `${JSON.stringify(result)}: callFor names too little of its input`);
    assert.deepEqual(store.units, operation.transaction === 'required' ? [operation.access] : []);
  });

  test(`${operation.id}: a ticket that it issues is a login's, and one that it ends is told to the events`, async () => {
    const store = await storeWithTicket(TICKET);
    const { result } = await gateOver(store).handlerFor(operation)(callFor(operation));
    assert.ok(!isRefusal(result));
    const tickets = await store.read((unit) => unit.tickets.page(undefined, 10));
    const digests = new Set(tickets.map(({ ticket }) => ticket.digest));
    const own = digestOf(TICKET);
    assert.equal(result.ended?.ticket.digest, digests.has(own) ? undefined : own);
    digests.delete(own);
    assert.equal(digests.size, result.issued === undefined ? 0 : 1);
    assert.equal(operation.takesPassword !== undefined, result.issued !== undefined);
  });

  if (operation.access !== 'write') {
    test(`${operation.id}: leaves the store as it was`, async () => {
      const store = await storeWithTicket(TICKET);
      const before = store.contents();
      await gateOver(store).handlerFor(operation)(callFor(operation));
      assert.equal(store.contents(), before);
    });
  }

  test(`${operation.id}: a fault after all it did is rolled back and tells the caller nothing`, async () => {
    const store = await storeWithTicket(TICKET);
    const before = store.contents();
    const faults: unknown[] = [];
    const fault = new Error('the secret cause');
    const faulty: AnyOperation = {
      ...operation,
      async perform(reach) {
        await operation.perform(reach);
        throw fault;
      },
    };
    const { result } = await gateOver(store, faults).handlerFor(faulty)(callFor(operation));
    assert.deepEqual(result, { refused: 'internal' });
    assert.deepEqual(faults, [fault]);
    assert.equal(store.contents(), before);
  });
}
