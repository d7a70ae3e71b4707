import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TotpSecret } from '../../../../src/core/domain/second-factor.ts';
import { bytesOf } from '../../../../src/core/domain/ticket.ts';
import { aDigest, addUser, type MakeStore, NOW } from './samples.ts';

const aSecret = (userId: number, n: number, more: Partial<TotpSecret> = {}): TotpSecret => ({
  ...{ userId, secret: Buffer.alloc(60, n), madeAt: NOW, lastStep: 100 },
  ...more,
});
const codesOf = (...numbers: number[]) => numbers.map((n) => bytesOf(aDigest(n)));

/** A one-time password and a recovery code are accepted once, whichever units ask at the same time. */
export function codesCountOnce(make: MakeStore): void {
  test('the secret of an app comes back as it was kept, and another one takes its place', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    const secrets = [aSecret(ada.id, 2, { lastStep: 0 }), aSecret(ben.id, 3)] as const;
    await store.write(async ({ totpSecrets }) => {
      for (const secret of [aSecret(ada.id, 1), ...secrets]) await totpSecrets.put(secret);
    });
    await store.read(async ({ totpSecrets }) => {
      assert.deepEqual(await totpSecrets.find(ada.id), secrets[0]);
      assert.equal(await totpSecrets.find(ada.id + 1_000), undefined);
      assert.deepEqual(await totpSecrets.page(0, 10), secrets);
      assert.deepEqual(await totpSecrets.page(0, 1), [secrets[0]]);
      assert.deepEqual(await totpSecrets.page(ada.id, 10), [secrets[1]]);
    });
    const remove = () => store.write((unit) => unit.totpSecrets.remove(ada.id));
    assert.deepEqual([await remove(), await remove()], [true, false]);
    assert.equal(await store.read((unit) => unit.totpSecrets.find(ada.id)), undefined);
  });

  test('a time step is used once, and steps go forward only', async (t) => {
    const store = await make(t);
    const { id } = await addUser(store, 'ada');
    await store.write((unit) => unit.totpSecrets.put(aSecret(id, 1)));
    const use = (step: number) => store.write((unit) => unit.totpSecrets.useStep(id, step));
    assert.deepEqual(
      [await use(100), await use(101), await use(101), await use(99)],
      [false, true, false, false],
    );
    assert.equal((await store.read((unit) => unit.totpSecrets.find(id)))?.lastStep, 101);
    const together = await Promise.all([102, 102, 102].map(use));
    assert.equal(together.filter(Boolean).length, 1);
    assert.equal(await store.write((unit) => unit.totpSecrets.useStep(id + 1_000, 200)), false);
  });

  test('a secret is encrypted anew only if it is the one that was read', async (t) => {
    const store = await make(t);
    const { id } = await addUser(store, 'ada');
    const [before, after] = [aSecret(id, 1), Buffer.alloc(70, 9)];
    await store.write((unit) => unit.totpSecrets.put(before));
    const encrypt = () => store.write((unit) => unit.totpSecrets.encryptAnew(id, before.secret, after));
    assert.deepEqual([await encrypt(), await encrypt()], [true, false]);
    assert.deepEqual(await store.read((unit) => unit.totpSecrets.find(id)), { ...before, secret: after });
  });

  test('a recovery code is used once, by its user alone, and a new set replaces the old one', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await store.write(async ({ recoveryCodes }) => {
      await recoveryCodes.put(ada.id, codesOf(1, 2, 3));
      await recoveryCodes.put(ben.id, codesOf(1));
    });
    const [code = Buffer.alloc(0)] = codesOf(1);
    const use = (userId: number) => store.write((unit) => unit.recoveryCodes.use(userId, code));
    const has = (userId: number) => store.read((unit) => unit.recoveryCodes.has(userId, code));
    assert.deepEqual([await has(ada.id), await has(ben.id)], [true, true]);
    const together = await Promise.all([use(ada.id), use(ada.id)]);
    assert.equal(together.filter(Boolean).length, 1);
    const countOf = (userId: number) => store.read((unit) => unit.recoveryCodes.countOf(userId));
    assert.deepEqual([await countOf(ada.id), await countOf(ben.id)], [2, 1]);
    assert.deepEqual([await has(ada.id), await has(ben.id)], [false, true]);
    await store.write((unit) => unit.recoveryCodes.put(ada.id, codesOf(4)));
    assert.equal(await countOf(ada.id), 1);
    const [old = Buffer.alloc(0)] = codesOf(2);
    assert.equal(await store.write((unit) => unit.recoveryCodes.use(ada.id, old)), false);
    await store.write((unit) => unit.recoveryCodes.put(ada.id, []));
    assert.equal(await countOf(ada.id), 0);
  });

  test('a removed user takes secret and recovery codes along, and no other user’s', async (t) => {
    const store = await make(t);
    const [ada, ben] = [await addUser(store, 'ada'), await addUser(store, 'ben')];
    await store.write(async ({ totpSecrets, recoveryCodes, users }) => {
      for (const { id } of [ada, ben]) {
        await totpSecrets.put(aSecret(id, 1));
        await recoveryCodes.put(id, codesOf(1));
      }
      await users.remove(ada.id);
    });
    await store.read(async ({ totpSecrets, recoveryCodes }) => {
      assert.deepEqual(await totpSecrets.page(0, 10), [aSecret(ben.id, 1)]);
      assert.deepEqual([await recoveryCodes.countOf(ada.id), await recoveryCodes.countOf(ben.id)], [0, 1]);
    });
  });
}
