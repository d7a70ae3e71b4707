import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../src/core/domain/refusal.ts';
import { digestOf } from '../../src/core/gate/tickets.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import { operations } from '../../src/main/operations.ts';
import { callFor, gateOver, storeWith, TICKET, TICKET_OF_ANOTHER } from './gate-over.ts';
import { DIGEST_OF_CAROL } from './named.ts';

/** The units that a call opens: its own, and before it one for the caller if something slow is prepared between the two. */
function unitsOf({ transaction, access, authentication, prepare }: AnyOperation): string[] {
  if (transaction === 'none') return [];
  return prepare !== undefined && authentication !== 'none' ? ['read', access] : [access];
}

for (const operation of operations) {
  test(`${operation.id}: opens these units and no other: ${unitsOf(operation).join(', ') || 'none'}`, async () => {
    const store = await storeWith();
    const faults: unknown[] = [];
    const { result } = await gateOver(store, faults).handlerFor(operation)(callFor(operation));
    assert.deepEqual(faults, []);
    const refused = `refused to alice, who calls it by the \`examples\` of its descriptor: ${JSON.stringify(result)}`;
    assert.ok(!isRefusal(result), refused);
    assert.deepEqual(store.units, unitsOf(operation));
  });

  test(`${operation.id}: a ticket that it issues is a login's, and one that it ends is told to the events`, async () => {
    const store = await storeWith();
    const { result } = await gateOver(store).handlerFor(operation)(callFor(operation));
    assert.ok(!isRefusal(result));
    const tickets = await store.read((unit) => unit.tickets.page(undefined, 10));
    const digests = new Set(tickets.map(({ ticket }) => ticket.digest));
    digests.delete(digestOf(TICKET_OF_ANOTHER));
    digests.delete(DIGEST_OF_CAROL);
    const own = digestOf(TICKET);
    assert.equal(result.ended?.ticket.digest, digests.has(own) ? undefined : own);
    digests.delete(own);
    assert.equal(digests.size, result.issued === undefined ? 0 : 1);
    assert.equal(operation.takesPassword !== undefined, result.issued !== undefined);
  });

  if (operation.access !== 'write') {
    test(`${operation.id}: leaves the store as it was`, async () => {
      const store = await storeWith();
      const before = store.contents();
      await gateOver(store).handlerFor(operation)(callFor(operation));
      assert.equal(store.contents(), before);
    });
  }

  test(`${operation.id}: a fault after all it did is rolled back and tells the caller nothing`, async () => {
    const store = await storeWith();
    const before = store.contents();
    const faults: unknown[] = [];
    const fault = new Error('the secret cause');
    const faulty: AnyOperation = {
      ...operation,
      async perform(context) {
        await operation.perform(context);
        throw fault;
      },
    };
    const { result } = await gateOver(store, faults).handlerFor(faulty)(callFor(operation));
    assert.deepEqual(result, { refused: 'internal' });
    assert.deepEqual(faults, [fault]);
    assert.equal(store.contents(), before);
  });
}
