import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptTicket } from '../../../../src/core/domain/ticket.ts';
import { holderOf } from '../../../../src/core/domain/user.ts';
import type { Store, TicketOnPage, TicketPlace } from '../../../../src/core/storage/store.ts';
import { digestLike } from '../../domain/samples.ts';
import { addUser, aTicket, issue, type MakeStore } from './samples.ts';

async function walk(store: Store, size: number): Promise<TicketOnPage[]> {
  const met: TicketOnPage[] = [];
  let after: TicketPlace | undefined;
  for (;;) {
    const page = await store.read((unit) => unit.tickets.page(after, size));
    assert.ok(page.length <= size, `a page of ${page.length} where ${size} were asked for`);
    met.push(...page);
    if (page.length < size) return met;
    after = page.at(-1)?.ticket;
  }
}

/** Pages list all tickets in an order that never changes, each with its user if the user still exists. */
export function ticketsPageSteadily(make: MakeStore): void {
  test('pages of any size meet every ticket once, in one order', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const ofBoth = (n: number) => aTicket(n, n % 2 === 0 ? ada : ben);
    const tickets = Array.from({ length: 23 }, (_, n) => ofBoth(n));
    // The ends of the order: a walk must neither skip the first nor run past the last.
    tickets.push(aTicket(0, ada, { digest: digestLike(0) }));
    tickets.push(aTicket(0, ada, { digest: digestLike(0xff) }));
    await issue(store, ...tickets);
    const whole = await walk(store, 100);
    const user = ({ userId }: KeptTicket) => holderOf(userId === ada.id ? ada : ben);
    assert.equal(whole.length, tickets.length);
    assert.deepEqual(new Set(whole), new Set(tickets.map((ticket) => ({ ticket, user: user(ticket) }))));
    for (const size of [1, 7, 25]) assert.deepEqual(await walk(store, size), whole, `size ${size}`);
  });

  test('a ticket on a page has its user as it is now, or none when that is gone', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await issue(store, aTicket(1, ada), aTicket(2, ben));
    await store.write(async (unit) => {
      await unit.users.remove(ada.id);
      await unit.users.change(ben.id, { disabled: true });
    });
    assert.deepEqual(
      new Set(await walk(store, 10)),
      new Set([
        { ticket: aTicket(1, ada), user: undefined },
        { ticket: aTicket(2, ben), user: holderOf({ ...ben, disabled: true }) },
      ]),
    );
  });

  test('a page goes on after a ticket that has ended meanwhile', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const at = (byte: number) => aTicket(0, ada, { digest: digestLike(byte) });
    await issue(store, at(1), at(2), at(3));
    const [first, second, third] = await walk(store, 10);
    assert.ok(first && second && third);
    await store.write((unit) => unit.tickets.end(second.ticket.digest));
    assert.deepEqual(await store.read((unit) => unit.tickets.page(second.ticket, 10)), [third]);
    assert.deepEqual(await walk(store, 10), [first, third]);
  });
}
