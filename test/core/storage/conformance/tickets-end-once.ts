import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holderOf } from '../../../../src/core/domain/user.ts';
import { aDigest, addUser, aTicket, issue, type MakeStore } from './samples.ts';

/** A ticket is ended once; afterwards there is none. */
export function ticketsEndOnce(make: MakeStore): void {
  test('a ticket is ended once, and gone from every view', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    await issue(store, aTicket(1, ada), aTicket(2, ada));
    assert.equal(await store.write((unit) => unit.tickets.end(aDigest(1))), true);
    assert.equal(await store.write((unit) => unit.tickets.end(aDigest(1))), false);
    await store.read(async ({ tickets }) => {
      assert.equal(await tickets.find(aDigest(1)), undefined);
      assert.deepEqual(await tickets.listOf(ada.id), [aTicket(2, ada)]);
      assert.equal(await tickets.countOf(ada.id), 1);
      assert.deepEqual(await tickets.page(undefined, 10), [{ ticket: aTicket(2, ada), user: holderOf(ada) }]);
    });
  });

  test('of units that end one ticket together, one is told that there was one', async (t) => {
    const store = await make(t);
    await issue(store, aTicket(1, await addUser(store, 'ada')));
    const ends = Array.from({ length: 5 }, () => store.write((unit) => unit.tickets.end(aDigest(1))));
    assert.deepEqual((await Promise.all(ends)).sort(), [false, false, false, false, true]);
  });

  test('a second end within one unit finds none', async (t) => {
    const store = await make(t);
    await issue(store, aTicket(1, await addUser(store, 'ada')));
    const ended = await store.write(async ({ tickets }) => [
      await tickets.end(aDigest(1)),
      await tickets.end(aDigest(1)),
    ]);
    assert.deepEqual(ended, [true, false]);
  });
}
