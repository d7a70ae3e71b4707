import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { secretKeysPlace } from '../../../src/core/sealing/secret-keys.ts';
import { run } from '../../faces/cli/command.ts';
import { PASSWORD, startTestService, type TestService, temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { basic } from '../../service/talk.ts';
import { asked } from '../admin/http/asked.ts';
import { addApplication, PROVIDER, RelyingParty } from './relying-party.ts';

/** The service on a backup of its store, restored into an empty folder. */
async function restored(t: TestContext, { data, settings }: TestService): Promise<TestService> {
  const folder = await temporaryFolder(t);
  const [file, place] = [join(folder, 'backup'), join(folder, 'data')];
  for (const [command, at] of [
    ['backup', data],
    ['restore', place],
  ] as const) {
    const ended = await run('tessera', [command, file], { env: { TESSERA_DATA: at } });
    assert.equal(ended.code, 0, ended.stderr);
  }
  const keys = { TESSERA_SECRET_KEYS_FILE: secretKeysPlace(settings) };
  const service = await startTestService(t, { ...PROVIDER, ...keys }, () => openSqlite(place));
  return { ...service, data: place };
}

/** The subjects of users at an application, which gets another secret for that. */
async function subjectsIn(service: TestService, name: string, ...users: readonly string[]) {
  const made = await asked(service, `/applications/${name}/secret`, { method: 'POST', body: '{}' });
  const party = await RelyingParty.discover(service, name, oidc.ClientSecretBasic(made.body.secret));
  const signedIn = users.map((user) => party.signIn(party.visitor(), {}, user));
  return (await Promise.all(signedIn)).map(({ id_token = '' }) => decodeJwt(id_token).sub);
}

test('after a restore applications know the users of the backup, and take nobody else for one that they knew', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  await addApplication(service, 'app', { trusted: true });
  await addApplication(service, 'pairwise', { trusted: true, pairwise: true });
  const paired = await subjectsIn(service, 'pairwise', 'anna');
  const [anna] = await subjectsIn(service, 'app', 'anna');
  const later = await restored(t, service);
  await service.addUser('ben');
  await later.addUser('carl');
  const [ben] = await subjectsIn(service, 'app', 'ben');
  const [restoredAnna, carl] = await subjectsIn(later, 'app', 'anna', 'carl');
  assert.equal(restoredAnna, anna);
  assert.deepEqual(await subjectsIn(later, 'pairwise', 'anna'), paired);
  const [benId, carlId] = [ben, carl].map((subject = '') => subject.split('.').at(-1));
  assert.equal(benId, carlId, 'both databases gave out the same id');
  assert.notEqual(carl, ben);
  const again = await restored(t, later);
  await again.addUser('dora');
  assert.deepEqual((await subjectsIn(again, 'app', 'anna', 'carl', 'dora')).slice(0, 2), [anna, carl]);
});

test('a restored database tells callers its present id, not how many users it had', async (t) => {
  const service = await startTestService(t, PROVIDER);
  await service.addUser('anna');
  const { url } = await restored(t, service);
  const response = await fetch(`${url}/alfresco/api/discovery`, { headers: basic(`anna:${PASSWORD}`) });
  const { entry } = (await response.json()) as { entry: { repository: { id: string } } };
  assert.match(entry.repository.id, /^[0-9a-f]{32}$/);
});
