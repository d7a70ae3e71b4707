import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../../src/domain/ticket.ts';
import type { Store, TicketOnPage } from '../../../src/storage/store.ts';
import { addUser, aTicket, issue, type MakeStore } from './samples.ts';

async function walk(store: Store, size: number): Promise<TicketOnPage[]> {
  const met: TicketOnPage[] = [];
  let after: Digest | undefined;
  for (;;) {
    const page = await store.read((unit) => unit.tickets.page(after, size));
    assert.ok(page.length <= size, `a page of ${page.length} where ${size} were asked for`);
    met.push(...page);
    if (page.length < size) return met;
    after = page.at(-1)?.ticket.digest;
  }
}

/** Pages walk over all tickets in digest order, each with its user if that is still there. */
export function pagesInDigestOrder(make: MakeStore): void {
  test('pages of any size meet every ticket once, in digest order', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const tickets = Array.from({ length: 23 }, (_, n) => aTicket(n, ada));
    // The ends of the order: a walk must neither skip the first nor run past the last.
    tickets.push(aTicket(0, ada, { digest: Buffer.alloc(32, 0) }));
    tickets.push(aTicket(0, ada, { digest: Buffer.alloc(32, 0xff) }));
    await issue(store, ...tickets);
    const expected = tickets
      .sort((a, b) => a.digest.compare(b.digest))
      .map((ticket) => ({ ticket, user: ada }));
    for (const size of [1, 7, 25, 100]) assert.deepEqual(await walk(store, size), expected, `size ${size}`);
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
        { ticket: aTicket(2, ben), user: { ...ben, disabled: true } },
      ]),
    );
  });

  test('a page goes on after a digest whose ticket has ended meanwhile', async (t) => {
    const store = await make(t);
    const ada = await addUser(store, 'ada');
    const at = (byte: number) => aTicket(0, ada, { digest: Buffer.alloc(32, byte) });
    await issue(store, at(1), at(2), at(3));
    await store.write((unit) => unit.tickets.end(at(2).digest));
    const page = await store.read((unit) => unit.tickets.page(at(2).digest, 10));
    assert.deepEqual(page, [{ ticket: at(3), user: ada }]);
  });
}
