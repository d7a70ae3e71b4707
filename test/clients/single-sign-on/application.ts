import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApplicationSettings } from '../../../src/capabilities/oidc-provider/application.ts';
import { newGroup } from '../../../src/core/domain/group.ts';
import { addApplication } from '../../capabilities/oidc-provider/relying-party.ts';
import { freePort } from '../../service/free-port.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';

interface Registered {
  readonly service: TestService;
  readonly issuer: string;
  /** Empty for a public application. */
  readonly secret: string;
}

/** Starts a service that browsers reach at its issuer, with one application that asks for no consent, and anna, a reader. */
export async function startWithApplication(
  t: TestContext,
  name: string,
  settings: Partial<ApplicationSettings>,
): Promise<Registered> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const service = await startTestService(t, { TESSERA_PORT: String(port), TESSERA_ISSUER: origin });
  await service.addUser('anna');
  await service.store.write(async ({ users, profiles, groups }) => {
    const user = await users.findByKey('anna');
    const readers = await groups.add(newGroup('readers'));
    if (user === undefined || readers === undefined) throw new Error('anna and her group are there');
    await profiles.put(user.id, { email: 'anna@example.org' });
    await groups.addUser(readers.id, user.id);
  });
  const secret = (await addApplication(service, name, { trusted: true, ...settings })) ?? '';
  return { service, issuer: `${origin}/auth/realms/alfresco`, secret };
}

/** Fills in the sign-in page. */
export async function signInAs(page: Page, name: string): Promise<void> {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
