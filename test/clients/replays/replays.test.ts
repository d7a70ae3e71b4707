import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGroup } from '../../../src/core/domain/group.ts';
import { userKey } from '../../../src/core/domain/user.ts';
import { AUDIENCE, startForTokens } from '../../capabilities/oidc/v1/token-bearer.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { CONTENT_APP } from './content-app.ts';
import { MOBILE_APPS } from './mobile-apps.ts';
import { PORTALS } from './portals.ts';
import { play, USER } from './replay.ts';
import { SERVICES } from './services.ts';
import { SHARE, WITH_TOKEN } from './share.ts';

/** Adds the user of the replays, with its profile and its group. */
async function addUser(service: TestService): Promise<void> {
  await service.addUser(USER.name, USER);
  await service.store.write(async ({ users, profiles, groups }) => {
    const user = await users.findByKey(userKey(USER.name));
    const group = await groups.add(newGroup(USER.group.name, USER.group));
    assert.ok(user && group);
    await profiles.put(user.id, USER.profile);
    await groups.addUser(group.id, user.id);
  });
}

for (const replay of [...SHARE, ...MOBILE_APPS, ...CONTENT_APP, ...PORTALS, ...SERVICES])
  test(replay.client, async (t) => {
    const service = await startTestService(t, replay.settings);
    await addUser(service);
    await play(replay, service.url);
  });

test(WITH_TOKEN.client, async (t) => {
  const { service, acme } = await startForTokens(t);
  const { firstName, lastName, email } = USER.profile;
  const named = { preferred_username: USER.name, given_name: firstName, family_name: lastName };
  acme.people.set('s-ann', { ...named, email, email_verified: true });
  await play(WITH_TOKEN, service.url, { token: await acme.accessToken('s-ann', AUDIENCE) });
});
