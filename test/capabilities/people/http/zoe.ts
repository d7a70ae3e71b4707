import type { TestContext } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import type { Profile } from '../../../../src/core/domain/profile.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { type Answered, ask, basic, logIn } from '../../../service/talk.ts';

/** The profile of the user Zoe. */
export const ZOE: Profile = {
  firstName: 'Zoë',
  lastName: 'Di "Q" Marco',
  email: 'zoe@example.org',
  organization: 'Ice/Works',
  jobTitle: 'Cook',
  telephone: '+39 1',
  mobile: '+39 2',
  location: 'Torino',
  description: 'a <b> & c',
};

/** A service with the users zoe and bob.smith, and a group in which both are by way of another group. */
export async function started(t: TestContext, env: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(t, env);
  for (const name of ['Zoe', 'bob.smith']) await service.addUser(name);
  await service.addUser('guest', { password: undefined });
  await service.store.write(async ({ users, profiles, groups }) => {
    const zoe = await users.findByKey('zoe');
    await profiles.put(zoe?.id ?? 0, ZOE);
    const cooks = await groups.add(newGroup('cooks', { displayName: 'The Cooks' }));
    const staff = await groups.add(newGroup('Staff'));
    const site = await groups.add(newGroup('site_ice', { displayName: 'Ice' }));
    await groups.addUser(cooks?.id ?? 0, zoe?.id ?? 0);
    await groups.addGroup(staff?.id ?? 0, cooks?.id ?? 0);
    await groups.addGroup(site?.id ?? 0, cooks?.id ?? 0);
  });
  return service;
}

/** The answer of the web scripts to this user. */
export async function askAs({ url }: TestService, caller: string, path: string): Promise<Answered> {
  const ticket = await logIn(url, caller);
  return ask(`${url}/alfresco/s${path}`, { headers: basic(`:${ticket}`) });
}

export const V1 = '/alfresco/api/-default-/public/alfresco/versions/1';

/** The answer of the v1 API to this user. */
export async function askV1({ url }: TestService, caller: string, path: string): Promise<Answered> {
  const ticket = await logIn(url, caller);
  return ask(`${url}${V1}${path}`, { headers: basic(`:${ticket}`) });
}
