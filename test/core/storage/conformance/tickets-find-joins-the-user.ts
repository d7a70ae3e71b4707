import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, digestFrom } from '../../../../src/core/domain/ticket.ts';
import { holderOf } from '../../../../src/core/domain/user.ts';
import { aDigest, addUser, aTicket, issue, type MakeStore, NOW } from './samples.ts';

/** A ticket is found with its user and the server's generation, as they are now. */
export function ticketsFindJoinsTheUser(make: MakeStore): void {
  test('a ticket comes back as it was issued, with its user and the server’s generation', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada', { generation: 2 }), await addUser(store, 'ben')];
    const mine = aTicket(1, ada, { issuedAt: NOW - 5, usedAt: NOW + 5 });
    await issue(store, mine, aTicket(2, ben));
    const held = await store.read((unit) => unit.tickets.find(aDigest(1)));
    assert.deepEqual(held, { ticket: mine, user: holderOf(ada), serverGeneration: 0 });
  });

  test('a ticket shows its user as it is now, and keeps the generations of its issue', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada', { generation: 2 });
    const ticket = aTicket(1, ada);
    await issue(store, ticket);
    const change = { generation: 3, disabled: true, lockedUntil: NOW, passwordHash: undefined };
    await store.write(async (unit) => {
      await unit.users.change(ada.id, change);
      await unit.tickets.raiseServerGeneration();
    });
    const held = await store.read((unit) => unit.tickets.find(ticket.digest));
    assert.deepEqual(held, { ticket, user: holderOf({ ...ada, ...change }), serverGeneration: 1 });
  });

  test('a ticket is kept under the digest that issuing returns, which is its own or the last one drawn', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    let last = 1;
    const redraw = () => {
      last += 1;
      return aDigest(last);
    };
    const digest = await store.write((unit) => unit.tickets.issue(aTicket(1, ada), redraw));
    assert.equal(digest, aDigest(last));
    const [row, ...others] = await store.read((unit) => unit.tickets.page(undefined, 10));
    assert.deepEqual([row?.ticket, others], [aTicket(last, ada), []]);
    assert.equal(await store.write((unit) => unit.tickets.issue(aTicket(0, ada))), aDigest(0));
  });

  test('a digest that differs in one bit is another ticket', async (t) => {
    const store = await make(t);
    await issue(store, aTicket(1, await addUser(store, 'ada')));
    for (const at of [0, 15, 31]) {
      const other = bytesOf(aDigest(1));
      other.writeUInt8(other.readUInt8(at) ^ 1, at);
      assert.equal(await store.read((unit) => unit.tickets.find(digestFrom(other))), undefined);
    }
    const cut = digestFrom(bytesOf(aDigest(1)).subarray(0, 31));
    assert.equal(await store.read((unit) => unit.tickets.find(cut)), undefined);
  });
}
