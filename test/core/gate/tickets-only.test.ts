import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../../src/core/domain/refusal.ts';
import { serverIdentity } from '../../../src/core/domain/server-identity.ts';
import { makeTicket } from '../../../src/core/domain/ticket.ts';
import { Bookkeeping } from '../../../src/core/gate/bookkeeping.ts';
import type { Call } from '../../../src/core/gate/call.ts';
import { Gate } from '../../../src/core/gate/execute.ts';
import { operations } from '../../../src/main/operations.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { WITHOUT_SERVICE } from './running-service.ts';

const LIFETIME = { idle: 3_600_000, age: 86_400_000 };
const UNKNOWN = makeTicket(Buffer.alloc(20));

/** A gate whose password check must not be called, and whose counts must not be written. */
function gateWithoutPasswords(): Gate {
  const store = openMemory();
  const onFault = (fault: unknown) => assert.fail(`a fault: ${fault}`);
  return new Gate({
    store,
    passwords: { from: () => assert.fail('the password check was asked') },
    rules: {
      ...{ lifetime: LIFETIME, perUser: 0, whenFull: 'refuse', clock: Date.now },
      random: (bytes) => Buffer.alloc(bytes),
    },
    bookkeeping: new Bookkeeping(store, LIFETIME, onFault),
    decideFirst: (_, call) => call,
    operations: [],
    identity: serverIdentity({ edition: 'Tessera', version: '3.2.0 (2039)' }),
    namesCaseSensitive: false,
    allPeopleVisible: false,
    ...WITHOUT_SERVICE,
    loginByGet: true,
    onFault,
  });
}

const callPresenting = (presented: Call['presented']): Call => ({
  ...{ requestId: 'r-1', basePath: '', template: '/gate', path: {}, query: {} },
  body: () => ({ json: {} }),
  ...{
    presented,
    acceptLanguage: undefined,
    userAgent: undefined,
    address: '127.0.0.1',
    crossSite: undefined,
  },
});

test('if only tickets or a client’s secret are credentials, no password is checked', async () => {
  const gate = gateWithoutPasswords();
  const header = { name: 'mia', password: 'correct-horse-battery' };
  for (const operation of operations) {
    const { id, authentication, ticketsOnly } = operation;
    if (authentication !== 'client' && !ticketsOnly) continue;
    for (const texts of [[], [UNKNOWN]]) {
      const { result } = await gate.handlerFor(operation)(callPresenting({ arguments: texts, header }));
      assert.ok(isRefusal(result), id);
      assert.equal(result.refused, ticketsOnly ? 'ticket_needed' : 'client_unknown', id);
    }
  }
});
