import assert from 'node:assert/strict';
import { loadCatalogue } from '../../src/capabilities/action-definitions/catalogue/load.ts';
import { ConstraintLookup } from '../../src/capabilities/action-definitions/nodes/constraint-lookup.ts';
import { locate } from '../../src/capabilities/action-definitions/nodes/locate.ts';
import { makeApiKey } from '../../src/core/domain/api-key.ts';
import { serverIdentity } from '../../src/core/domain/server-identity.ts';
import { makeTicket, type Ticket } from '../../src/core/domain/ticket.ts';
import { newUser } from '../../src/core/domain/user.ts';
import { Bookkeeping } from '../../src/core/gate/bookkeeping.ts';
import type { Call } from '../../src/core/gate/call.ts';
import { Gate } from '../../src/core/gate/execute.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import { digestOfSecret } from '../../src/core/identity/client-secret.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import { operations } from '../../src/main/operations.ts';
import { WITHOUT_SERVICE } from '../core/gate/running-service.ts';
import { ALICE, exampleInput, templateOf } from './example-input.ts';
import { addNamed } from './named.ts';
import { type WatchedStore, watchedStore } from './watched-store.ts';

const catalogue = loadCatalogue({ generation: '3.2', definitions: '', model: '' });
/** The time by the clock of the gate. */
export const NOW = Date.UTC(2026, 0, 1);
const LIFETIME = { idle: 3_600_000, age: 86_400_000 };

/** The tickets of the first and the second user of {@link storeWith}. */
export const TICKET = makeTicket(Buffer.alloc(20, 7));
export const TICKET_OF_ANOTHER = makeTicket(Buffer.alloc(20, 8));

const CLIENT = { name: 'gateway', password: 'secret' };
/** The API key of {@link storeWith}, whose role is administrator. */
const API_KEY = makeApiKey(Buffer.alloc(32, 7));

/** The call from an operation's examples, with the credential that its level needs. */
export function callFor(operation: AnyOperation, ticket: Ticket = TICKET): Call {
  const { path, query, body } = exampleInput(operation, TICKET);
  const presented = {
    none: { arguments: [], header: undefined },
    guest: { arguments: [ticket], header: undefined },
    user: { arguments: [ticket], header: undefined },
    client: { arguments: [], header: CLIENT },
    admin: { arguments: [], header: { apiKey: API_KEY } },
  };
  return {
    requestId: 'r-1',
    basePath: '',
    template: templateOf(operation),
    path,
    query: query as Call['query'],
    body: () => ({ json: body }),
    presented: presented[operation.authentication],
    acceptLanguage: undefined,
    userAgent: undefined,
    address: '127.0.0.1',
    crossSite: undefined,
  };
}

/** A store with a client, a user who has {@link TICKET}, and a user who has {@link TICKET_OF_ANOTHER}. */
export async function storeWith(name = ALICE.name, namesCaseSensitive = false): Promise<WatchedStore> {
  const store = watchedStore();
  await store.write(async (unit) => {
    const { users, tickets, clients, apiKeys } = unit;
    for (const [who, ticket] of [
      [name, TICKET],
      ['bob', TICKET_OF_ANOTHER],
    ] as const) {
      const user = await users.add(newUser(who, { namesCaseSensitive, passwordHash: 'hash' }));
      const generations = { userGeneration: 0, serverGeneration: 0 };
      await tickets.issue({
        ...{ digest: digestOf(ticket), userId: user?.id ?? 0, issuedAt: NOW, usedAt: NOW },
        ...generations,
      });
    }
    await clients.add({ name: CLIENT.name, secretDigest: digestOfSecret(CLIENT.password), addedAt: NOW });
    const key = { name: 'laws', digest: digestOfSecret(API_KEY), role: 'administrator' } as const;
    await apiKeys.add({ ...key, addedAt: NOW, expiresAt: undefined, usedAt: undefined });
    await addNamed(unit);
  });
  store.units.length = 0;
  return store;
}

/** A gate over a store. Passwords count as checked. Faults are added to `faults`. */
export function gateOver(store: WatchedStore, faults: unknown[] = [], namesCaseSensitive = false): Gate {
  const onFault = (fault: unknown) => void faults.push(fault);
  const check = async () => ({ userId: 1, generation: 0, passwordHash: 'hash', methods: [] });
  const random = (bytes: number) => Buffer.alloc(bytes, 9);
  return new Gate({
    store,
    passwords: {
      from: () => ({
        check,
        checkOnPage: check,
        checkRepeated: check,
        withoutHash: async () => undefined,
        checkFactor: async () => assert.fail('no second factor is asked for'),
        checkSignIn: (_, check) => check(),
        hashNew: async () => 'new hash',
        takeLinkRequest: async () => true,
        judgeNew: async () => undefined,
      }),
    },
    rules: { lifetime: LIFETIME, perUser: 1_000, whenFull: 'replace-oldest', clock: () => NOW, random },
    bookkeeping: new Bookkeeping(store, LIFETIME, onFault),
    decideFirst: (_, call) => call,
    operations,
    identity: serverIdentity({ edition: 'Tessera', version: '3.2.0 (2039)' }),
    namesCaseSensitive,
    allPeopleVisible: false,
    ...WITHOUT_SERVICE,
    operationTools: {
      ...WITHOUT_SERVICE.operationTools,
      currentCatalogue: () => catalogue,
      constraints: new ConstraintLookup(() => catalogue.constraints),
    },
    nodes: { findIn: locate },
    loginByGet: true,
    onFault,
  });
}
