import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CAPABILITIES } from '../../src/main/capabilities.ts';
import { addUser, anAppPassword, NOW } from '../core/storage/conformance/samples.ts';
import { sweeperOf } from '../core/storage/sweeping.ts';
import { openMemory } from '../engines/memory/open.ts';

test('freed names, and app passwords that expired, go with the sweeps of their capabilities', async () => {
  const store = openMemory();
  const { id } = await addUser(store, 'ada');
  await store.write(async ({ appPasswords, freedNames }) => {
    await appPasswords.add(anAppPassword(1, id, 'mail', { expiresAt: NOW - 1 }));
    for (const [key, freeAt] of [
      ['bob', NOW - 1],
      ['cem', NOW + 1],
    ] as const)
      await freedNames.put({ key, userId: id, externalId: undefined, freeAt });
  });
  const sweeps = (await Promise.all(CAPABILITIES.map(({ sweep }) => sweep?.() ?? []))).flat();
  const sweeper = sweeperOf(store, { sweeps });
  await sweeper.walk();
  for (const { removals } of sweeps) {
    const expired = (await store.read(async (unit) => removals?.(unit, NOW, 10))) ?? [];
    for (const remove of expired) await store.write(remove);
  }
  const left = await store.read(async ({ appPasswords, freedNames }) => [
    (await appPasswords.ofUser(id)).length,
    (await freedNames.find('bob'))?.key,
    (await freedNames.find('cem'))?.key,
  ]);
  assert.deepEqual(left, [0, undefined, 'cem']);
});
