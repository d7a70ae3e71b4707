import assert from 'node:assert/strict';
import { type Digest, type HeldTicket, stateOf } from '../../../src/core/domain/ticket.ts';
import { type Store, StoreUnavailable, type WriteUnit } from '../../../src/core/storage/store.ts';
import { aDigest, addUser, aTicket, issue } from '../../core/storage/conformance/samples.ts';
import { afterwards } from '../../service/afterwards.ts';
import { type Redis, testsOnRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { LIFETIME, openUntilEnd } from './opened.ts';

const test = await testsOnRedis();
type Context = Parameters<Parameters<typeof test>[1]>[0];

/** A database that holds its next unit up after the commit, or fails it at the commit. */
class HeldUp implements Store {
  readonly #store: Store;
  #hold: { readonly committed: () => void; readonly letOn: Promise<void> } | undefined;
  failsNext = false;

  constructor(store: Store) {
    this.#store = store;
  }

  read: Store['read'] = (work) => this.#store.read(work);

  write: Store['write'] = async (work) => {
    const hold = this.#hold;
    this.#hold = undefined;
    const fails = this.failsNext;
    this.failsNext = false;
    const value = await this.#store.write(async (unit) => {
      const outcome = await work(unit);
      if (fails) throw new StoreUnavailable('it fails at the commit');
      return outcome;
    });
    hold?.committed();
    await hold?.letOn;
    return value;
  };

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Holds the next unit up from its commit on, until it is let on or the test ends. */
  holdNext(t: Context) {
    const [committed, letOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#hold = { committed: committed.resolve, letOn: letOn.promise };
    afterwards(t, async () => letOn.resolve());
    return { committed: committed.promise, letOn: letOn.resolve };
  }
}

const NOW = Date.now();

async function opened(t: Context, { url }: Redis) {
  const folder = await temporaryFolder(t);
  const below = new HeldUp(openSqlite(folder));
  const one = await openUntilEnd(t, url, { below });
  const other = await openUntilEnd(t, url, { below: openSqlite(folder) });
  const ada = await addUser(one, 'ada');
  const ticket = (n: number) => aTicket(n, ada, { issuedAt: NOW, usedAt: NOW });
  let drawn = 1_000;
  // One ticket beside its user, and one in another partition.
  const beside = await one.write((unit) =>
    unit.tickets.issue(ticket(drawn), () => {
      drawn += 1;
      return aDigest(drawn);
    }),
  );
  await issue(one, ticket(2));
  return { below, one, other, ada, digests: [beside, aDigest(2)] };
}

/** What an instance says of a ticket, in a read unit and in a write unit. */
const LOOKS = {
  read: (store: Store, digest: Digest) => store.read((unit) => unit.tickets.find(digest)),
  write: (store: Store, digest: Digest) => store.write(async (unit) => unit.tickets.find(digest)),
  list: (store: Store, digest: Digest) =>
    store.write(async ({ tickets, users }) => {
      const ticket = (await tickets.listOf(1)).find((listed) => listed.digest === digest);
      const user = await users.find(1);
      return ticket && user && { ticket, user, serverGeneration: 0 };
    }),
} as const;

async function stateAt(store: Store, digest: Digest, look: keyof typeof LOOKS = 'read') {
  const found: HeldTicket | undefined = await LOOKS[look](store, digest);
  return found && stateOf(found, NOW, LIFETIME);
}

/** Ends all tickets of the user but this one, as a change of the own password does. */
const endOthers = (id: number, digest: Digest) => async (unit: WriteUnit) => {
  const generation = ((await unit.users.find(id))?.generation ?? 0) + 1;
  await unit.users.change(id, { generation });
  await unit.tickets.moveToGeneration(digest, generation);
};

/** The state of a ticket, asked for again as long as the answer says nothing. */
async function answerAt(store: Store, digest: Digest, look: keyof typeof LOOKS) {
  for (;;) {
    try {
      return await stateAt(store, digest, look);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

/** Takes the announcements of moves away, as their time does. */
const forgetMoves = (redis: Redis) =>
  redis.ask(['EVAL', "for _, key in ipairs(redis.call('KEYS', '*}t*n')) do redis.call('DEL', key) end", '0']);

for (const look of ['read', 'write', 'list'] as const)
  test(`a ticket that survives a change of its user is never dead in between, for any instance (${look})`, async (t, redis) => {
    const { below, one, other, ada, digests } = await opened(t, redis);
    for (const digest of digests) {
      const change = below.holdNext(t);
      const changed = one.write(endOthers(ada.id, digest));
      await change.committed;
      const answers = Promise.all([one, other].map((store) => answerAt(store, digest, look)));
      // An answer that does not wait takes fewer trips than these.
      for (let trips = 0; trips < 30; trips += 1)
        await Promise.all([one, other].map((store) => store.read((unit) => unit.tickets.listOf(ada.id))));
      change.letOn();
      assert.deepEqual(await answers, ['valid', 'valid']);
      await changed;
      assert.deepEqual([await stateAt(one, digest), await stateAt(other, digest)], ['valid', 'valid']);
      // The next one is the only ticket of this generation, too.
      for (const next of digests.filter((each) => each !== digest))
        await one.write((unit) => unit.tickets.moveToGeneration(next, 1));
    }
  });

test('a unit that shares the commit of the change finds the ticket alive', async (t, redis) => {
  const { one, ada, digests } = await opened(t, redis);
  const [digest] = digests as [Digest];
  const [, found] = await Promise.all([one.write(endOthers(ada.id, digest)), stateAt(one, digest, 'write')]);
  assert.equal(found, 'valid');
});

test('a ticket whose instance is gone before the move is dead once the move is off, and no late move revives it', async (t, redis) => {
  const { below, one, other, ada, digests } = await opened(t, redis);
  const [digest] = digests as [Digest];
  const change = below.holdNext(t);
  const changed = one.write(endOthers(ada.id, digest));
  await change.committed;
  await assert.rejects(stateAt(other, digest), StoreUnavailable);
  await forgetMoves(redis);
  assert.equal(await stateAt(other, digest), 'invalid');
  change.letOn();
  await assert.rejects(changed, StoreUnavailable);
  assert.deepEqual([await stateAt(one, digest), await stateAt(other, digest)], ['invalid', 'invalid']);
});

test('a ticket that an administrator ended after a change that failed at its commit is never alive again', async (t, redis) => {
  const { below, one, other, ada, digests } = await opened(t, redis);
  const [digest] = digests as [Digest];
  below.failsNext = true;
  await assert.rejects(one.write(endOthers(ada.id, digest)), /at the commit/);
  assert.equal(await stateAt(other, digest), 'valid');
  await other.write((unit) => unit.users.change(ada.id, { generation: 1 }));
  await assert.rejects(stateAt(one, digest, 'write'), StoreUnavailable);
  await forgetMoves(redis);
  assert.deepEqual([await stateAt(one, digest), await stateAt(other, digest)], ['invalid', 'invalid']);
});
