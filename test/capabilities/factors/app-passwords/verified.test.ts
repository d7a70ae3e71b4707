import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppPasswordVerifier } from '../../../../src/capabilities/factors/app-passwords/verifier.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import { newAppPassword } from '../../../../src/core/identity/client-secret.ts';
import { Checking } from '../../../core/identity/checking.ts';
import { anAppPassword, NOW } from '../../../core/storage/conformance/samples.ts';
import { openMemory } from '../../../engines/memory/open.ts';

test('a verified app password holds until it is removed, whatever happens to the own password of its user', async () => {
  const store = openMemory();
  const verifier = new AppPasswordVerifier({
    store,
    clock: () => NOW,
    bookkeeping: { usedCredential: () => undefined },
  });
  const checking = new Checking({ store, verifiers: [verifier] });
  const { id } = await checking.add('ada');
  const { password, digest } = newAppPassword(Buffer.alloc(20, 1));
  const appPassword = { ...anAppPassword(1, id, 'mail'), digest };
  await store.write(({ appPasswords }) => appPasswords.add(appPassword));
  const verified = await checking.login('ada', password);
  assert.ok(!isRefusal(verified));
  const holds = () => store.read(async (unit) => verified.isKeptIn?.(unit));
  await checking.changePassword('ada', 'another');
  assert.equal(await holds(), true);
  await store.write(({ appPasswords }) => appPasswords.remove(id, 'mail'));
  assert.equal(await holds(), false);
});
