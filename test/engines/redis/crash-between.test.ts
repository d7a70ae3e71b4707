import assert from 'node:assert/strict';
import { stateOf } from '../../../src/core/domain/ticket.ts';
import { type Store, StoreUnavailable } from '../../../src/core/storage/store.ts';
import {
  aCounter,
  aDigest,
  addUser,
  aKey,
  aTicket,
  counterOf,
  issue,
} from '../../core/storage/conformance/samples.ts';
import { testsOnRedis } from '../../service/redis.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { until } from '../../service/until.ts';
import { LIFETIME, openUntilEnd } from './opened.ts';

const test = await testsOnRedis();

/** Where an instance dies: during the commit of the database, so that nothing is kept, or after it. */
type Death = 'at the commit' | 'after the commit' | undefined;

/** A database whose instance dies at the given point, and writes nothing to Redis afterwards. */
class Dying implements Store {
  readonly #store: Store;
  death: Death;

  constructor(store: Store) {
    this.#store = store;
  }

  read: Store['read'] = (work) => this.#store.read(work);

  write: Store['write'] = async (work) => {
    const { death } = this;
    this.death = undefined;
    const value = await this.#store.write(async (unit) => {
      const done = await work(unit);
      if (death === 'at the commit') throw new StoreUnavailable('died at the commit');
      return done;
    });
    if (death === 'after the commit') throw new StoreUnavailable('died after the commit');
    return value;
  };

  close(): Promise<void> {
    return this.#store.close();
  }
}

type Context = Parameters<Parameters<typeof test>[1]>;

async function opened(t: Context[0], redis: Context[1]) {
  const below = new Dying(openSqlite(await temporaryFolder(t)));
  const store = await openUntilEnd(t, redis.url, { below });
  const die: (death: Death, work: Parameters<Store['write']>[0]) => Promise<void> = async (death, work) => {
    below.death = death;
    await assert.rejects(store.write(work), StoreUnavailable);
  };
  const now = Date.now();
  const ada = await addUser(store, 'ada');
  const fresh = (n: number) => aTicket(n, ada, { issuedAt: now, usedAt: now });
  const state = async (n: number) => {
    const held = await store.read((unit) => unit.tickets.find(aDigest(n)));
    return held && stateOf(held, now, LIFETIME);
  };
  return { store, ada, fresh, state, die };
}

test('a login that dies anywhere leaves no ticket that is found, and none that counts for long', async (t, redis) => {
  const { store, ada, fresh, state, die } = await opened(t, redis);
  for (const [n, death] of (['at the commit', 'after the commit'] as const).entries()) {
    await die(death, (unit) => unit.tickets.issue(fresh(n)));
    assert.equal(await state(n), undefined, death);
  }
  assert.deepEqual(await store.read((unit) => unit.tickets.listOf(ada.id)), []);
  assert.deepEqual(await store.read((unit) => unit.tickets.page(undefined, 10)), []);
  const length = "return redis.call('PTTL', redis.call('KEYS', '*}t*')[1])";
  assert.ok(Number(await redis.ask(['EVAL', length, '0'])) > 0, 'an unborn ticket goes by itself');
});

test('a logout that dies anywhere leaves no ticket alive', async (t, redis) => {
  const { store, fresh, state, die } = await opened(t, redis);
  await issue(store, fresh(1), fresh(2));
  await die('at the commit', (unit) => unit.tickets.end(aDigest(1)));
  await die('after the commit', (unit) => unit.tickets.end(aDigest(2)));
  assert.deepEqual([await state(1), await state(2)], [undefined, undefined]);
});

test('a user whose disabling was committed is disabled, and one whose was not is not, whoever died', async (t, redis) => {
  const { store, ada, fresh, state, die } = await opened(t, redis);
  await issue(store, fresh(1));
  assert.equal(await state(1), 'valid');
  await die('at the commit', (unit) => unit.users.change(ada.id, { disabled: true }));
  assert.equal(await state(1), 'valid');
  await die('after the commit', (unit) => unit.users.change(ada.id, { disabled: true }));
  assert.equal(await state(1), 'invalid');
  await die('at the commit', (unit) => unit.users.change(ada.id, { disabled: false }));
  assert.equal(await state(1), 'invalid');
  await die('after the commit', (unit) => unit.users.change(ada.id, { generation: 1 }));
  assert.equal(await state(1), 'invalid');
  await die('after the commit', (unit) => unit.users.remove(ada.id));
  assert.equal(await state(1), undefined);
});

test('a raise of the server’s generation holds if it was committed, and not if it was not, whoever died', async (t, redis) => {
  const { store, fresh, state, die } = await opened(t, redis);
  await issue(store, fresh(1));
  await die('at the commit', (unit) => unit.tickets.raiseServerGeneration());
  assert.equal(await state(1), 'valid');
  await die('after the commit', (unit) => unit.tickets.raiseServerGeneration());
  assert.equal(await state(1), 'invalid');
});

test('a mark that a dead unit left over a cached user is repaired, with what the database says', async (t, redis) => {
  const { store, ada, fresh, state, die } = await opened(t, redis);
  await issue(store, fresh(1));
  await state(1);
  for (const [death, disabled] of [
    ['at the commit', 'e'],
    ['after the commit', 'd'],
  ] as const) {
    await die(death, (unit) => unit.users.change(ada.id, { disabled: true }));
    const remembered = () =>
      redis.ask(['EVAL', `return redis.call('GET', redis.call('KEYS', '*}u${ada.id}')[1])`, '0']);
    assert.match(await remembered(), /^!/);
    await state(1);
    await until('the mark is gone', async () => !(await remembered()).startsWith('!'));
    assert.equal(await remembered(), `0 0 ${disabled}u ada`);
  }
});

test('a failure that dies at the commit is counted, and a success that does forgets nothing', async (t, redis) => {
  const { store, die } = await opened(t, redis);
  const counter = aCounter({ since: Date.now(), lastFailureAt: Date.now() });
  const find = () => store.read((unit) => counterOf(unit, aKey('ada')));
  await die('at the commit', (unit) => unit.attempts.put(aKey('ada'), aKey('ada'), counter));
  assert.deepEqual(await find(), counter);
  await die('at the commit', (unit) => unit.attempts.remove(aKey('ada')));
  await die('after the commit', (unit) => unit.attempts.remove(aKey('ada')));
  assert.deepEqual(await find(), counter);
});
