import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { newUser } from '../../src/core/domain/user.ts';
import { hashPassword } from '../../src/core/identity/password-hash.ts';
import { makeThrottleKey } from '../../src/core/identity/throttle-key.ts';
import type { Store } from '../../src/core/storage/store.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { openPostgres } from '../service/stores.ts';
import { KEY_DIGEST } from './administrator.ts';
import { type Fleet, type SettingsOf, startFleet } from './fleet.ts';
import { SENDER_NAMES } from './form-senders.ts';
import { CLIENTS, userOf } from './load.ts';

/** The settings of a server under load: what it acknowledged is on disk. */
export const DURABLE = ['fsync = on', 'max_connections = 200'];

/** Users that only the guessing is about. */
export const GUESSED = Array.from({ length: 9 }, (_, number) => `guessed-${number}`);

/** Adds the users that the clients log in as, those that are {@link GUESSED}, those that send forms, and the administrator's key. */
export async function addUsers(store: Store): Promise<void> {
  const clients = Array.from({ length: CLIENTS }, (_, client) => userOf(client));
  const passwordHash = await hashPassword(PASSWORD, { memory: 8, passes: 1, lanes: 1 });
  await store.write(async (unit) => {
    for (const name of [...clients, ...GUESSED, ...SENDER_NAMES]) {
      await unit.users.add(newUser(name, { namesCaseSensitive: false, passwordHash }));
    }
    await unit.apiKeys.add({
      name: 'administrator',
      digest: KEY_DIGEST,
      role: 'administrator',
      addedAt: Date.now(),
      expiresAt: undefined,
      usedAt: undefined,
    });
  });
}

/** Instances A, B and C on one database, or on a URL of its own for each; started together, so that one migrates. */
export async function fleetOn(
  t: TestContext,
  url: string | ((name: string) => string),
  settingsOf: SettingsOf = () => ({}),
): Promise<Fleet> {
  const keyFile = join(await temporaryFolder(t), 'throttle-key');
  makeThrottleKey(keyFile);
  const urlOf = typeof url === 'string' ? () => url : url;
  const fleet = await startFleet(t, ['A', 'B', 'C'], (name) => ({
    TESSERA_DATABASE: urlOf(name),
    TESSERA_THROTTLE_KEY_FILE: keyFile,
    ...settingsOf(name),
  }));
  const store = await openPostgres(urlOf('A'));
  await addUsers(store).finally(() => store.close());
  return fleet;
}
