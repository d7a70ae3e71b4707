import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../../../src/core/domain/api-key.ts';
import { bytesOf } from '../../../../src/core/domain/ticket.ts';
import { aDigest, type MakeStore, NOW } from './samples.ts';

const aKey = (name: string, n: number, more: Partial<ApiKey> = {}): ApiKey => ({
  name,
  digest: bytesOf(aDigest(n)),
  role: 'operator',
  addedAt: NOW,
  expiresAt: undefined,
  usedAt: undefined,
  ...more,
});

/** An API key is kept under its name, once, and found by its digest. */
export function apiKeysAreKeptByName(make: MakeStore): void {
  test('an API key comes back as it was kept, by name and by digest', async (t) => {
    const store = await make(t);
    const [one, two] = [aKey('one', 1), aKey('two', 2, { expiresAt: NOW + 1, role: 'auditor' })];
    await store.write(async ({ apiKeys }) => {
      assert.equal(await apiKeys.add(two), true);
      assert.equal(await apiKeys.add(one), true);
      assert.equal(await apiKeys.add(aKey('one', 3)), false);
    });
    await store.read(async ({ apiKeys }) => {
      assert.deepEqual(await apiKeys.list(), [one, two]);
      assert.deepEqual(await apiKeys.find('two'), two);
      assert.equal(await apiKeys.find('TWO'), undefined);
      assert.deepEqual(await apiKeys.findByDigest(one.digest), one);
      assert.equal(await apiKeys.findByDigest(bytesOf(aDigest(3))), undefined);
    });
  });

  test('its last use moves forward only, and a removed one is gone', async (t) => {
    const store = await make(t);
    await store.write((unit) => unit.apiKeys.add(aKey('one', 1)));
    const used = async () => (await store.read((unit) => unit.apiKeys.find('one')))?.usedAt;
    for (const at of [NOW + 5, NOW + 3]) await store.write((unit) => unit.apiKeys.use('one', at));
    assert.equal(await used(), NOW + 5);
    const remove = () => store.write((unit) => unit.apiKeys.remove('one'));
    assert.deepEqual([await remove(), await remove()], [true, false]);
    assert.equal(await store.read((unit) => unit.apiKeys.findByDigest(bytesOf(aDigest(1)))), undefined);
  });
}
