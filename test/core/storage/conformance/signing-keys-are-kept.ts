import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MakeStore, NOW } from './samples.ts';

/** Keys that sign tokens are kept with their sealed private part until some time after they were retired. */
export function signingKeysAreKept(make: MakeStore): void {
  test('signing keys are listed from the oldest, retired once, encrypted anew, and removed', async (t) => {
    const store = await make(t);
    const keyOf = (kid: string, addedAt: number) => ({
      kid,
      alg: 'RS256',
      sealed: Buffer.from(`sealed ${kid}`),
      addedAt,
      retiredAt: undefined,
    });
    const [one, two] = [keyOf('b', NOW), keyOf('a', NOW + 1)];
    await store.write(async ({ signingKeys }) => {
      for (const key of [two, one]) assert.equal(await signingKeys.add(key), true);
      assert.equal(await signingKeys.add(keyOf('a', NOW)), false);
      assert.deepEqual(await signingKeys.list(), [one, two]);
      for (const at of [NOW + 5, NOW + 6]) await signingKeys.retire('b', at);
      const sealed = Buffer.from('anew');
      assert.equal(await signingKeys.encryptAnew('a', one.sealed, sealed), false);
      assert.equal(await signingKeys.encryptAnew('a', two.sealed, sealed), true);
    });
    const [retired, anew] = [
      { ...one, retiredAt: NOW + 5 },
      { ...two, sealed: Buffer.from('anew') },
    ];
    assert.deepEqual(await store.read(({ signingKeys }) => signingKeys.list()), [retired, anew]);
    const removeRetired = (before: number) =>
      store.write(({ signingKeys }) => signingKeys.removeRetired(before));
    assert.deepEqual([await removeRetired(NOW + 5), await removeRetired(NOW + 6)], [0, 1]);
    assert.deepEqual(await store.read(({ signingKeys }) => signingKeys.list()), [anew]);
  });
}
