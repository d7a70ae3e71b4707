import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Passkey, PasskeyUse } from '../../../../src/core/domain/passkey.ts';
import { addUser, type MakeStore, NOW } from './samples.ts';

const aPasskey = (n: number, userId: number, more: Partial<Passkey> = {}): Passkey => ({
  credentialId: Buffer.alloc(16, n),
  userId,
  userHandle: Buffer.alloc(32, userId),
  publicKey: Buffer.alloc(77, n),
  signCount: 0,
  name: `passkey ${n}`,
  transports: [],
  madeAt: NOW + n,
  usedAt: undefined,
  challengeAt: NOW,
  ...more,
});

/** A passkey is kept under its credential id, once, and takes each later challenge once. */
export function passkeysAreKeptByCredential(make: MakeStore): void {
  test('a passkey comes back as it was kept, by its credential id and with those of its user', async (t) => {
    const store = await make(t);
    const one = aPasskey(1, 1, { transports: ['internal', 'hybrid'], signCount: 4_294_967_295 });
    const two = aPasskey(2, 1, { usedAt: NOW + 5 });
    const other = aPasskey(3, 2);
    await store.write(async ({ passkeys }) => {
      for (const passkey of [two, other, one]) assert.equal(await passkeys.add(passkey), true);
      assert.equal(await passkeys.add(aPasskey(1, 2)), false);
    });
    await store.read(async ({ passkeys }) => {
      assert.deepEqual(await passkeys.find(one.credentialId), one);
      assert.deepEqual(await passkeys.ofUser(1), [one, two]);
      assert.deepEqual(await passkeys.ofUser(3), []);
      assert.equal(await passkeys.find(Buffer.alloc(16, 9)), undefined);
    });
    const remove = () => store.write(({ passkeys }) => passkeys.remove(one.credentialId));
    assert.deepEqual([await remove(), await remove()], [true, false]);
    assert.deepEqual(await store.read(({ passkeys }) => passkeys.ofUser(1)), [two]);
  });

  test('a removed user takes its passkeys along, and no other user’s', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const kept = aPasskey(3, ben.id);
    await store.write(async ({ users, passkeys }) => {
      for (const passkey of [aPasskey(1, ada.id), aPasskey(2, ada.id), kept]) await passkeys.add(passkey);
      await users.remove(ada.id);
    });
    await store.read(async ({ passkeys }) => {
      assert.deepEqual(await passkeys.ofUser(ada.id), []);
      assert.deepEqual(await passkeys.ofUser(ben.id), [kept]);
    });
  });

  test('a passkey takes a use with a later challenge and a higher count only', async (t) => {
    const store = await make(t);
    const { credentialId } = aPasskey(1, 1);
    await store.write(({ passkeys }) => passkeys.add(aPasskey(1, 1)));
    const used = async (use: PasskeyUse) => {
      const isTaken = await store.write(({ passkeys }) => passkeys.use(credentialId, use));
      const { usedAt, signCount, challengeAt } = (await store.read(({ passkeys }) =>
        passkeys.find(credentialId),
      )) as Passkey;
      if (isTaken) assert.deepEqual({ usedAt, signCount, challengeAt }, use);
      return isTaken;
    };
    const use = (after: number, signCount: number): PasskeyUse => ({
      usedAt: NOW + after + 1,
      challengeAt: NOW + after,
      signCount,
    });
    assert.equal(await used(use(0, 0)), false);
    assert.equal(await used(use(1, 0)), true);
    assert.equal(await used(use(1, 0)), false);
    assert.equal(await used(use(2, 7)), true);
    assert.equal(await used(use(3, 7)), false);
    assert.equal(await used(use(3, 0)), false);
    assert.equal(await used(use(2, 8)), false);
    assert.equal(await used(use(3, 8)), true);
    assert.equal(await store.write(({ passkeys }) => passkeys.use(Buffer.alloc(16, 9), use(9, 9))), false);
  });
}
