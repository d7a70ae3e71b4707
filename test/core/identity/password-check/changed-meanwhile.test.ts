import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../../src/core/domain/user.ts';
import { familiarSince } from '../../storage/conformance/samples.ts';
import { Checking, HERE, outcomeOf, RIGHT, THERE } from '../checking.ts';

type Happening = (checking: Checking) => Promise<unknown>;

/** Another process on the same store. */
const beside = ({ store }: Checking) => new Checking({ lockoutThreshold: 2, store });

/** Ann's right login. `past` happens before it, and `change` during its hash. */
async function during(change: Happening, past: Happening = async () => undefined): Promise<Checking> {
  const checking: Checking = new Checking({
    lockoutThreshold: 2,
    renewedHash: 'renewed',
    beforeVerdict: async (password) => {
      if (password === RIGHT) await change(checking);
    },
  });
  await checking.add('ann');
  await past(checking);
  await checking.login('ann', RIGHT);
  return checking;
}

test('a renewed hash is stored, and nothing else of the user changes but the time of the last login', async () => {
  const checking = await during(async () => undefined);
  assert.deepEqual(await checking.user('ann'), {
    id: 1,
    name: 'ann',
    key: 'ann',
    administrator: false,
    passwordHash: 'renewed',
    disabled: false,
    lockedUntil: 0,
    generation: 0,
    mustChangePassword: false,
    provider: undefined,
    hasSecondFactor: false,
    secondFactorAskedAt: 0,
    lastLoginAt: checking.now,
  });
});

test('a renewed hash does not undo a password that was changed meanwhile', async () => {
  const checking = await during((self) => self.changePassword('ann', 'new one'));
  assert.equal((await checking.user('ann')).passwordHash, 'hash of new one');
});

test('a login with a password that was changed meanwhile clears no count, and its address does not become familiar', async () => {
  const checking = await during(
    (self) => self.changePassword('ann', 'new one'),
    (self) => beside(self).fail(1, 'ann', THERE),
  );
  assert.equal((await checking.counters('ann', HERE)).name?.failures, 1);
  assert.equal(await checking.store.read((unit) => familiarSince(unit, 'ann', HERE)), undefined);
});

test('a lock-out by another process during a right login does not end with it', async () => {
  const checking = await during((self) => beside(self).fail(2, 'ann', '203.0.113.9'));
  const { lockedUntil, passwordHash } = await checking.user('ann');
  assert.equal(lockedUntil, checking.now + 15 * 60_000);
  assert.equal(passwordHash, 'hash of right');
  assert.equal((await checking.counters('ann', HERE)).name?.failures, 2);
});

test('a login that may end a lock-out does not end a lock by hand from meanwhile', async () => {
  const checking = await during(
    (self) => self.change('ann', { lockedUntil: UNTIL_UNLOCKED }),
    async (self) => {
      assert.equal(outcomeOf(await beside(self).login('ann', RIGHT, HERE)), 'ok');
      await beside(self).fail(2, 'ann', THERE);
    },
  );
  assert.equal((await checking.user('ann')).lockedUntil, UNTIL_UNLOCKED);
  assert.ok(!(await checking.events()).some(({ kind }) => kind === 'unlock'));
});

test('a login whose user is removed meanwhile writes nothing', async () => {
  const checking = await during(async (self) => {
    const { id } = await self.user('ann');
    await self.store.write((unit) => unit.users.remove(id));
  });
  assert.equal(await checking.user('ann'), undefined);
  await checking.add('ann');
  const familiar = await checking.store.read((unit) => familiarSince(unit, 'ann', HERE));
  assert.equal(familiar, undefined);
});

test('if an event cannot be written, the failure and the lock-out still are', async () => {
  const plain = new Checking();
  const store = {
    ...plain.store,
    write: (work: Parameters<typeof plain.store.write>[0]) =>
      plain.store.write((unit) => {
        const append = () => Promise.reject(new Error('no room for events'));
        return work({ ...unit, events: { ...unit.events, append } });
      }),
  } as typeof plain.store;
  const checking = new Checking({ lockoutThreshold: 2, store });
  await checking.add('ann');
  await checking.fail(2, 'ann');
  assert.equal(outcomeOf(await checking.login('ann', RIGHT)), 'login_failed locked 900');
  assert.deepEqual(checking.faults.map(String), Array(2).fill('Error: no room for events'));
});
