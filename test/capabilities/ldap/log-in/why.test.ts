import assert from 'node:assert/strict';
import { newUser } from '../../../../src/core/domain/user.ts';
import { run } from '../../../faces/cli/command.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { dnOf, person, testsOnSlapd } from '../../../service/slapd.ts';
import { startTestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { until } from '../../../service/until.ts';
import { startWithDirectory } from './with-directory.ts';

const test = await testsOnSlapd({ entries: [person('anna'), person('ben'), person('carl')] });

/** Why the user of this name can or cannot sign in, as administrators are told over HTTP. */
async function why(base: string, name: string) {
  const headers = { authorization: `Bearer ${await logIn(base)}` };
  const response = await fetch(`${base}/api/admin/users/${name}/sign-in`, { headers });
  const { canSignIn, reason, detail } = (await response.json()) as Record<
    'canSignIn' | 'reason' | 'detail',
    unknown
  >;
  return { canSignIn, reason, detail };
}

test('the reason why a user of a directory cannot sign in: disabled there, or unknown here', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_RECHECK: 'PT0.5S' });
  assert.deepEqual(await why(service.url, 'zoe'), {
    canSignIn: true,
    reason: 'directory-decides',
    detail: 'There is no user "zoe" here yet. At the first login the directory decides.',
  });
  for (const name of ['anna', 'ben', 'carl']) await service.ticket(name);
  assert.equal((await why(service.url, 'anna')).reason, 'signed-in');
  slapd.change(dnOf('anna'), 'replace: pwdAccountLockedTime', 'pwdAccountLockedTime: 000001010000Z');
  t.after(() => slapd.change(dnOf('anna'), 'delete: pwdAccountLockedTime'));
  await until('anna is disabled', async () => (await service.user('anna'))?.disabled === true);
  const { canSignIn, reason, detail } = await why(service.url, 'anna');
  assert.deepEqual([canSignIn, reason], [false, 'disabled-by-provider']);
  assert.match(
    String(detail),
    /^"anna" is disabled since \S+, because the directory does not let it in \(disabled in the directory\)\./,
  );
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const page = await (await visitor.get('/portal/console/users/anna')).text();
  assert.match(page, /the directory refuses this user \(disabled in the directory\)/);
});

test('while a directory does not answer, the answer says so; once it answers, it is not mentioned', async (t, slapd) => {
  const service = await startWithDirectory(t, slapd, { TESSERA_LDAP_DEADLINE: 'PT1S' });
  await service.ticket('ben');
  await slapd.kill();
  try {
    assert.equal(await service.logIn('ben'), 503);
    const { canSignIn, reason } = await why(service.url, 'ben');
    assert.deepEqual([canSignIn, reason], [false, 'provider-silent']);
  } finally {
    await slapd.resume();
  }
  await until('ben logs in', async () => (await service.logIn('ben')) === 200);
  assert.equal((await why(service.url, 'ben')).reason, 'signed-in');
});

test('a user of a directory that the settings do not name: the page and the command line say so', async (t) => {
  const service = await startTestService(t);
  const lara = newUser('lara', { namesCaseSensitive: false, passwordHash: undefined, provider: 'ldap' });
  await service.store.write(({ users }) => users.add(lara));
  const { canSignIn, reason, detail } = await why(service.url, 'lara');
  assert.deepEqual([canSignIn, reason], [false, 'provider-off']);
  const { stdout } = await run('tessera', ['users', 'why', 'lara'], { env: { TESSERA_DATA: service.data } });
  assert.equal(stdout, `${detail}\n`);
});
