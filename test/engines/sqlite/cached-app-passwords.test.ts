import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Store } from '../../../src/core/storage/store.ts';
import { addUser, anAppPassword, NOW } from '../../core/storage/conformance/samples.ts';
import { temporaryFolder } from '../../service/start.ts';
import { openUntilEnd } from './folder.ts';

const findIn = (store: Store, digest: Buffer) => store.read((unit) => unit.appPasswords.findByDigest(digest));

/** Two stores on the same folder, and two app passwords of one user that both stores have read. */
async function readByBoth(t: TestContext) {
  const folder = await temporaryFolder(t);
  const stores = [openUntilEnd(t, folder), openUntilEnd(t, folder)] as const;
  const { id } = await addUser(stores[0], 'ada');
  const mail = anAppPassword(1, id, 'mail', { usedAt: NOW });
  const cron = anAppPassword(2, id, 'cron', { usedAt: NOW });
  for (const store of stores) assert.equal(await findIn(store, mail.digest), undefined);
  for (const each of [mail, cron]) await stores[0].write((unit) => unit.appPasswords.add(each));
  for (const store of stores)
    for (const each of [mail, cron]) assert.deepEqual(await findIn(store, each.digest), each);
  return { stores, id, mail, cron };
}

test('a use of an app password is seen by every store, and others are not looked up again where it was written', async (t) => {
  const { stores, mail, cron } = await readByBoth(t);
  const before = await findIn(stores[0], cron.digest);
  await stores[0].write((unit) => unit.appPasswords.use(mail.digest, NOW + 1));
  for (const store of stores) assert.equal((await findIn(store, mail.digest))?.usedAt, NOW + 1);
  assert.equal(await findIn(stores[0], cron.digest), before);
});

test('a removed app password is gone for the next read of every store', async (t) => {
  const { stores, id, mail, cron } = await readByBoth(t);
  await stores[1].write((unit) => unit.appPasswords.remove(id, 'mail'));
  for (const store of stores) {
    assert.equal(await findIn(store, mail.digest), undefined);
    assert.deepEqual(await findIn(store, cron.digest), cron);
  }
});

test('the app passwords of a removed user are gone for the next read of every store', async (t) => {
  const { stores, id, mail, cron } = await readByBoth(t);
  await stores[0].write((unit) => unit.users.remove(id));
  for (const store of stores)
    for (const { digest } of [mail, cron]) assert.equal(await findIn(store, digest), undefined);
});
