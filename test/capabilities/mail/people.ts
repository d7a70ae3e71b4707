import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { User } from '../../../src/core/domain/user.ts';
import type { Store } from '../../../src/core/storage/store.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { mailSettings, type ReceivedMail, startMailServer } from './mail-server.ts';

/** A service that sends mail to a server of the test. Its clock stands still. */
export async function withMail(
  t: TestContext,
  env: Record<string, string> = {},
  makeStore?: (folder: string) => Store,
) {
  const server = await startMailServer(t);
  const service = await startTestService(t, { ...mailSettings(server), ...env }, makeStore);
  service.stopClock();
  return { server, service };
}

/** Adds a user with an address, or gives one to a user. Returns the user. */
export async function addPerson(service: TestService, name: string, email?: string): Promise<User> {
  await service.addUser(name);
  return service.store.write(async ({ users, profiles }) => {
    const user = (await users.findByKey(name)) ?? assert.fail();
    if (email !== undefined) await profiles.put(user.id, { firstName: 'Anna', email });
    return user;
  });
}

/** The path and the secret of the link in a mail, as it leads to the service of the test. */
export function linkIn(mail: ReceivedMail | undefined) {
  const [address = assert.fail(mail?.text)] =
    mail?.text.match(/https:\/\/portal\.example\.org\S+\?\S+/) ?? [];
  const { pathname, search, searchParams } = new URL(address);
  const { id = '', key = '' } = Object.fromEntries(searchParams);
  assert.match(key, /^[\w-]{43}$/);
  assert.ok(String(mail?.parsed.html).includes(key));
  return { path: pathname + search, id, key };
}
