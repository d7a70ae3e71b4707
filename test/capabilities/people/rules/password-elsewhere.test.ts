import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  changeOwnPassword,
  prepareOwnPassword,
} from '../../../../src/capabilities/people/rules/own-password.ts';
import { isRefusal } from '../../../../src/core/domain/refusal.ts';
import { newUser } from '../../../../src/core/domain/user.ts';
import { run } from '../../../faces/cli/command.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { startTestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';

const PAGE = 'https://password.example.org/change';
const NEW = 'four quiet rivers meeting';

/** A service with lara of the directory and otto of an identity provider, and a call of its first administrator. */
async function started(t: TestContext, env: Record<string, string> = { TESSERA_LDAP_PASSWORD_PAGE: PAGE }) {
  const service = await startTestService(t, env);
  const ofProvider = (name: string, provider: string) =>
    newUser(name, { namesCaseSensitive: false, passwordHash: undefined, provider });
  await service.store.write(async ({ users }) => {
    await users.add(ofProvider('lara', 'ldap'));
    await users.add(ofProvider('otto', 'office'));
  });
  const authorization = `Bearer ${await logIn(service.url)}`;
  const call = async (method: string, path: string, body: object) => {
    const init = { method, headers: { authorization }, body: JSON.stringify(body) };
    const response = await fetch(service.url + path, init);
    return { status: response.status, text: await response.text() };
  };
  return { service, call };
}

test('an administrator is told where the password of a user of the directory is changed', async (t) => {
  const { service, call } = await started(t);
  const told = new RegExp(`the directory has the password of \\\\?"lara\\\\?": change it at ${PAGE}`);
  for (const [method, path, body] of [
    ['POST', '/api/person/changepassword/lara', { newpw: NEW }],
    ['PUT', '/api/admin/users/lara/password', { password: NEW }],
  ] as const) {
    const { status, text } = await call(method, path, body);
    assert.equal(status, 409, text);
    assert.match(text, told);
  }
  const required = await call('PATCH', '/api/admin/users/lara', { mustChangePassword: true });
  assert.equal(required.status, 409);
  const kept = await service.store.read(({ users }) => users.findByKey('lara'));
  assert.deepEqual([kept?.passwordHash, kept?.mustChangePassword], [undefined, false]);
});

test('without the address of a page, and of an identity provider, the refusal says who has the password', async (t) => {
  const { call } = await started(t, {});
  const change = (name: string) => call('POST', `/api/person/changepassword/${name}`, { newpw: NEW });
  assert.match(
    (await change('lara')).text,
    /the directory has the password of \\?"lara\\?": change it there/,
  );
  assert.match(
    (await change('otto')).text,
    /the identity provider \\?"office\\?" has the password of .*: change it there/,
  );
});

test('the command line refuses before it asks for a password, and lists show the provider', async (t) => {
  const { service } = await started(t);
  const env = { TESSERA_DATA: service.data, TESSERA_LDAP_PASSWORD_PAGE: PAGE };
  const tessera = (...words: string[]) => run('tessera', words, { env, stdin: `${NEW}\n` });
  const refused = await tessera('users', 'passwd', 'lara', '--password-stdin');
  assert.equal(refused.code, 1);
  assert.equal(refused.stderr, `Refused: the directory has the password of "lara": change it at ${PAGE}.\n`);
  assert.match((await tessera('users', 'list')).stdout, /^otto +false +active +false +office$/m);
  assert.match((await tessera('users', 'show', 'lara')).stdout, /^provider +ldap$/m);
});

test('the console shows the provider and offers no password', async (t) => {
  const { service } = await started(t);
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const pageOf = async (name: string) => (await visitor.get(`/portal/console/users/${name}`)).text();
  assert.match(await pageOf('lara'), /Signs in through<\/dt><dd>the directory/);
  assert.match(await pageOf('otto'), /the identity provider office/);
  for (const name of ['lara', 'otto'])
    assert.doesNotMatch(await pageOf(name), /Set password|users\/\w+\/password"/);
  assert.match(await pageOf('admin'), /users\/admin\/password"/);
  const sent = await visitor.send('/portal/account/password', '/portal/console/users/lara/password', {
    password: NEW,
  });
  assert.equal(sent.status, 422);
  assert.match(await sent.text(), /The password of this account is not kept here/);
});

test('a user changes no own password that a provider has, whatever the new one is', async (t) => {
  const { service } = await started(t);
  const lara = (await service.store.read(({ users }) => users.findByKey('lara'))) ?? assert.fail();
  const verified = { userId: lara.id, passwordHash: undefined };
  const passwords = {
    checkOnPage: async () => verified,
    hashNew: () => assert.fail('it is not hashed'),
  };
  const prepared = await prepareOwnPassword(passwords, 'lara', { oldPassword: 'right', newPassword: 'x' });
  assert.ok(!isRefusal(prepared));
  const changed = await service.store.write((unit) =>
    changeOwnPassword(unit, prepared, async () => lara, undefined, { ldap: PAGE }),
  );
  assert.ok(isRefusal(changed));
  assert.deepEqual(
    [changed.refused, changed.detail?.endsWith(`change it at ${PAGE}`)],
    ['password_elsewhere', true],
  );
});
