import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNTIL_UNLOCKED } from '../../../src/domain/user.ts';
import { familiarSince } from '../../storage/conformance/samples.ts';
import { Checking, HERE, RIGHT, THERE, told } from '../checking.ts';

type Happening = (checking: Checking) => Promise<unknown>;

/** Another process on the same store. */
const beside = ({ store }: Checking) => new Checking({ lockoutThreshold: 2, store });

/** Ann's right login, before which `past` was and during whose hash `change` happens. */
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

test('a renewed hash is kept, and nothing else of the user changes', async () => {
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
  });
});

test('a renewed hash does not undo a password that was changed meanwhile', async () => {
  const checking = await during((self) => self.changePassword('ann', 'new one'));
  assert.equal((await checking.user('ann')).passwordHash, 'hash of new one');
});

test('a login under a password that was changed meanwhile clears no count and makes no address familiar', async () => {
  const checking = await during(
    (self) => self.changePassword('ann', 'new one'),
    (self) => beside(self).fail(1, 'ann', THERE),
  );
  assert.equal((await checking.counters('ann', HERE)).name?.failures, 1);
  assert.equal(await checking.store.read((unit) => familiarSince(unit, 'ann', HERE)), undefined);
});

test('a login that succeeds while another process locks its name out does not end the lock-out', async () => {
  const checking = await during((self) => beside(self).fail(2, 'ann', '203.0.113.9'));
  const { lockedUntil, passwordHash } = await checking.user('ann');
  assert.equal(lockedUntil, checking.now + 15 * 60_000);
  assert.equal(passwordHash, 'hash of right');
  assert.equal((await checking.counters('ann', HERE)).name?.failures, 2);
});

test('a login that may end a lock-out does not end a lock by hand that comes meanwhile', async () => {
  const checking = await during(
    (self) => self.change('ann', { lockedUntil: UNTIL_UNLOCKED }),
    async (self) => {
      assert.equal(told(await beside(self).login('ann', RIGHT, HERE)), 'ok');
      await beside(self).fail(2, 'ann', THERE);
    },
  );
  assert.equal((await checking.user('ann')).lockedUntil, UNTIL_UNLOCKED);
  assert.ok(!(await checking.events()).some(({ kind }) => kind === 'unlock'));
});

test('a login whose user is removed meanwhile leaves nothing behind', async () => {
  const checking = await during(async (self) => {
    const { id } = await self.user('ann');
    await self.store.write((unit) => unit.users.remove(id));
  });
  assert.equal(await checking.user('ann'), undefined);
  await checking.add('ann');
  const familiar = await checking.store.read((unit) => familiarSince(unit, 'ann', HERE));
  assert.equal(familiar, undefined);
});

test('an event that cannot be written spoils neither the count of a failure nor the lock-out', async () => {
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
  assert.equal(told(await checking.login('ann', RIGHT)), 'login_failed locked 900');
  assert.deepEqual(checking.faults.map(String), Array(2).fill('Error: no room for events'));
});
