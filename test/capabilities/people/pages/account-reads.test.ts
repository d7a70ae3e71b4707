import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadUnit, Store } from '../../../../src/core/storage/store.ts';
import { openMemory } from '../../../engines/memory/open.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { startTestService } from '../../../service/start.ts';

/** A store that answers reads together, as over a network: each flight is what was asked before an answer came. */
function inFlights(store: Store): { readonly store: Store; readonly flights: number[] } {
  const flights: number[] = [];
  let landing: Promise<void> | undefined;
  const flight = () => {
    if (landing === undefined) {
      flights.push(0);
      landing = nextTurn().then(() => {
        landing = undefined;
      });
    }
    flights[flights.length - 1] = (flights.at(-1) ?? 0) + 1;
    return landing;
  };
  const slow = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (from, name) => {
        const value: unknown = Reflect.get(from, name);
        if (typeof value === 'object' && value !== null) return slow(value);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          await flight();
          return value.apply(from, given);
        };
      },
    });
  return {
    flights,
    store: { ...store, read: (work) => store.read((unit) => work(slow<ReadUnit>(unit))) },
  };
}

test('the account page reads all that it shows at once, and then only where its tickets were issued', async (t) => {
  const counted = inFlights(openMemory());
  const service = await startTestService(t, {}, () => counted.store);
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  counted.flights.length = 0;
  assert.equal((await visitor.get('/portal/account')).status, 200);
  // The ticket of the request; whether it came from an app password; role, profile, groups, tickets, app passwords, second
  // factors, events, and whether the profile is kept here; the origins of the tickets.
  assert.deepEqual(counted.flights, [1, 1, 22, 1]);
});
