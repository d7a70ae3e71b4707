import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { PARTS, type TransferRow, type TransferTable } from '../../../../src/core/storage/transfer.ts';
import { aDigest, addUser, aTicket, issue } from '../../../core/storage/conformance/samples.ts';
import { aUserRow, everythingOn, fill, whyRefused } from './filling.ts';
import type { TestPlace } from './places.ts';

const SOURCE = { identity: 'test:1', label: 'a place' };
const partOf = (name: string) => PARTS.find((part) => part.name === name) as TransferTable;

/** The promises of every engine about copies: see `src/core/storage/transfer.ts`. */
export function holdToTransfer(engine: string, place: (t: TestContext) => Promise<TestPlace>): void {
  async function filled(t: TestContext) {
    const made = await place(t);
    const store = await made.open();
    await fill(store);
    return { ...made, store };
  }

  describe(`${engine} can be moved`, () => {
    test('pages of any size give every row of every part once, in one order', async (t) => {
      const { store, source } = await filled(t);
      await store.close();
      const side = await source();
      for (const part of PARTS) {
        const all = await side.page(part, undefined, 1_000);
        assert.equal(all.length, await side.count(part), part.name);
        assert.ok(all.length > 0, part.name);
        const one: TransferRow[] = [];
        for (let page = all.slice(0, 1); page.length > 0; page = await side.page(part, one.at(-1), 1))
          one.push(...page);
        assert.deepEqual(one, all, part.name);
      }
    });

    test('of a ticket the 32 bytes of its digest are kept, in their order', async (t) => {
      const { store, source } = await filled(t);
      await store.close();
      const rows = await (await source()).page(partOf('tickets'), undefined, 10);
      const digests = [1, 2, 3, 4, 5, 6, 7].map((n) => Buffer.from(aDigest(n), 'hex'));
      assert.deepEqual(
        rows.map(([digest]) => digest),
        digests.sort(Buffer.compare),
      );
    });

    test('a source that nobody has open is held still, and everybody else is kept out of it', async (t) => {
      const { store, source, open, scribble } = await filled(t);
      await store.close();
      const side = await source();
      assert.equal(side.inUse, undefined);
      await assert.rejects(scribble, /lock/);
      await side.close();
      await scribble();
      assert.equal((await addUser(await open(), 'late')).name, 'late');
    });

    test('a source that somebody has open says so, and is read as it was at one moment', async (t) => {
      const { store, source } = await filled(t);
      const side = await source();
      assert.match(side.inUse ?? '', /open/);
      const before = await everythingOn(side);
      await addUser(store, 'late');
      await store.write((unit) => unit.tickets.raiseServerGeneration());
      assert.deepEqual(await everythingOn(side), before);
    });

    test('the last ids are told, also when their rows are gone', async (t) => {
      const { store, source } = await filled(t);
      await store.close();
      const { users, events } = await (await source()).lastIds();
      assert.ok(users >= 4, `${users} users`);
      assert.ok(events >= 3, `${events} events`);
    });

    test('a change is made whole or not at all', async (t) => {
      const { target } = await place(t);
      const side = await target(SOURCE);
      const users = partOf('users');
      await side.change(users, [], [aUserRow(1, 'ada'), aUserRow(2, 'ben')]);
      await assert.rejects(side.change(users, [[1]], [aUserRow(3, 'eve'), aUserRow(4, 'ben')]));
      assert.deepEqual(await side.page(users, undefined, 10), [aUserRow(1, 'ada'), aUserRow(2, 'ben')]);
      await side.change(users, [[1]], [aUserRow(3, 'ada')]);
      assert.deepEqual(await side.page(users, undefined, 10), [aUserRow(2, 'ben'), aUserRow(3, 'ada')]);
    });

    test('an unfinished copy is gone on with for its own source alone', async (t) => {
      const { target } = await place(t);
      const first = await target(SOURCE);
      await first.change(partOf('users'), [], [aUserRow(7, 'ada')]);
      assert.match(await whyRefused(() => target(SOURCE)), /another copy into it is under way/);
      await first.close();
      assert.match(
        await whyRefused(() => target({ identity: 'test:2', label: 'elsewhere' })),
        /half-done copy of (another source|a place)/,
      );
      assert.equal(await (await target(SOURCE)).count(partOf('users')), 1);
    });

    test('a finished copy is a store like any other, and gives no id again', async (t) => {
      const { target, open } = await place(t);
      const side = await target(SOURCE);
      await side.change(
        partOf('users'),
        [],
        [[7, 'ada', 'ada', true, null, false, 0, 2, false, '', false, 0, 0, '', 0]],
      );
      await side.finish({ users: 41, events: 5 });
      await side.close();
      const store = await open();
      const ada = await store.read((unit) => unit.users.find(7));
      assert.equal(ada?.name, 'ada');
      assert.ok((await addUser(store, 'ben')).id > 41);
      await store.write((unit) => unit.events.append({ at: 1, kind: 'login' }));
      const [event] = await store.read((unit) => unit.events.list({}));
      assert.ok((event?.id ?? 0) > 5);
      await issue(store, aTicket(1, ada as { id: number; generation: number }));
    });

    test('a store that is in use is no place for a copy', async (t) => {
      const { target, store } = await filled(t);
      assert.match(await whyRefused(() => target(SOURCE)), /not empty|a database in it already/);
      await store.close();
      assert.match(await whyRefused(() => target(SOURCE)), /not empty|a database in it already/);
    });
  });
}
