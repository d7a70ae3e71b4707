import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { run } from '../../../faces/cli/command.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { withApp } from '../../factors/pages/second-factor-browse.ts';

/** A service whose user anna has an app, and a call as administrator about her second factor. */
async function started(t: TestContext) {
  const service = await startTestService(t);
  const anna = await withApp(service);
  const headers = { Authorization: `Bearer ${await service.addApiKey('administrator')}` };
  const call = (method = 'GET', path = '/second-factor') =>
    fetch(`${service.url}/api/admin/users/anna${path}`, { method, headers });
  return { service, anna, call };
}

/** Who reset the second factor of whom. */
async function resetsIn({ store }: TestService): Promise<string[]> {
  const found = await store.read(({ events }) => events.latest({ kind: 'second-factor-reset', limit: 9 }));
  return found.map(({ user, actor }) => `${actor}: ${user}`);
}

test('administrators see which second factors a user has, and no secret of them', async (t) => {
  const { anna, call } = await started(t);
  const text = await (await call()).text();
  const { appSince, ...shown } = JSON.parse(text);
  assert.match(appSince, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(shown, { passkeys: [], recoveryCodes: 10 });
  for (const secret of [anna.key, ...anna.codes]) assert.ok(!text.includes(secret));
  assert.match(await (await call('GET', '')).text(), /"hasSecondFactor":true/);
});

test('a reset removes all second factors: the password alone signs in, and the event says who did it', async (t) => {
  const { service, call } = await started(t);
  assert.equal((await call('DELETE')).status, 204);
  await new Visitor(service).signIn('anna');
  assert.deepEqual(await (await call()).json(), { passkeys: [], recoveryCodes: 0 });
  assert.equal((await call('DELETE')).status, 204);
  const [reset = '', ...others] = await resetsIn(service);
  assert.match(reset, /^key:administrator-\w+: anna$/);
  assert.deepEqual(others, []);
});

test('the command line resets the second factor, and the console does after a question', async (t) => {
  const { service } = await started(t);
  const env = { TESSERA_DATA: service.data };
  const shown = await run('tessera', ['users', 'show', 'anna'], { env });
  assert.match(shown.stdout, /second factor:? +true/i);
  const { code, stderr } = await run('tessera', 'users second-factor reset anna'.split(' '), { env });
  assert.equal(code, 0, stderr);
  await new Visitor(service).signIn('anna');
  await service.store.write(async ({ users, recoveryCodes }) => {
    const user = (await users.findByKey('anna')) ?? assert.fail();
    await recoveryCodes.put(user.id, [Buffer.alloc(32, 1)]);
    await users.change(user.id, { hasSecondFactor: true });
  });
  const admin = new Visitor(service);
  await admin.signIn('admin');
  const path = '/portal/console/users/anna/reset-second-factor';
  assert.match(await (await admin.get('/portal/console/users/anna')).text(), new RegExp(`href="${path}"`));
  assert.match(await (await admin.get(path)).text(), /Reset the second factor of anna\?/);
  const done = await admin.send(path, path);
  assert.equal(done.headers.get('location'), '/portal/console/users/anna?done=reset-second-factor');
  assert.ok((await resetsIn(service)).includes('admin: anna'));
  await new Visitor(service).signIn('anna');
});
