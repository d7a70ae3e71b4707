import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemory } from '../../engines/memory/open.ts';
import { Visitor } from '../../faces/pages/browse.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { addPerson, linkIn, withMail } from './people.ts';

const CHOOSE = '/portal/choose-password';
const NEW = 'four quiet rivers meeting';
const INVITE = '/portal/console/invite-user';

/** Invites by the API. */
async function invite(service: TestService, body: object) {
  const authorization = `Bearer ${await service.addApiKey('administrator')}`;
  const init = { method: 'POST', headers: { authorization }, body: JSON.stringify(body) };
  const response = await fetch(`${service.url}/api/admin/invitations`, init);
  return { status: response.status, value: (await response.json()) as Record<string, string> };
}

test('an invited user is added without a password that anybody knows, and chooses one by the link in a mail', async (t) => {
  const { server, service } = await withMail(t, { TESSERA_INVITATION_LIFETIME: 'P3D' }, openMemory);
  const dora = {
    userName: 'dora',
    firstName: 'Dora',
    email: 'dora@example.org',
    language: 'de',
    role: 'auditor',
  };
  const { status, value } = await invite(service, dora);
  assert.deepEqual([status, value], [200, { userName: 'dora', mailed: true }]);
  await assert.rejects(logIn(service.url, 'dora', ''), /Login failed|Password not specified/);
  await server.got(1);
  assert.equal(server.mails[0]?.parsed.subject, 'Ihr Konto bei portal.example.org');
  const { path } = linkIn(server.mails[0]);
  service.shiftClock(3 * 86_400_000 - 1_000);
  const set = await new Visitor(service).send(path, CHOOSE, { newPassword: NEW });
  assert.equal(set.headers.get('location'), `${CHOOSE}/done`);
  assert.ok(await logIn(service.url, 'dora', NEW));
  // Invited again, the language is remembered for notices.
  await invite(service, { userName: 'dora' });
  await server.got(3);
  service.shiftClock(3 * 86_400_000);
  const late = linkIn(server.mails.find(({ text }) => text.includes('invitation') && !text.includes(path)));
  assert.match(await (await new Visitor(service).get(late.path)).text(), /This link does not work/);
});

test('without a mail server, or without an address, the link is shown once to hand over', async (t) => {
  const bare = await startTestService(t, {}, openMemory);
  const { value } = await invite(bare, { userName: 'dora', email: 'dora@example.org' });
  assert.match(value.link ?? '', /^\/portal\/choose-password\?id=invitation&key=[\w-]{43}$/);
  await new Visitor(bare).send(value.link ?? '', CHOOSE, { newPassword: NEW });
  assert.ok(await logIn(bare.url, 'dora', NEW));
  assert.doesNotMatch(bare.lines.join('\n'), new RegExp(value.link?.slice(-43) ?? 'no link'));
  const { server, service } = await withMail(t, {}, openMemory);
  const handedOver = await invite(service, { userName: 'emil' });
  assert.match(handedOver.value.link ?? '', /^https:\/\/portal\.example\.org\/portal\/choose-password\?/);
  assert.equal(server.mails.length, 0);
});

test('nobody is invited whose password is elsewhere, or who is disabled', async (t) => {
  const { service } = await withMail(t, {}, openMemory);
  const company = await addPerson(service, 'company');
  const gone = await addPerson(service, 'gone');
  await service.store.write(async ({ users }) => {
    await users.change(company.id, { provider: 'ldap', passwordHash: undefined });
    await users.change(gone.id, { disabled: true });
  });
  assert.equal((await invite(service, { userName: 'company' })).status, 409);
  assert.equal((await invite(service, { userName: 'gone' })).status, 400);
});

test('an administrator invites in the console, and gets the link to hand over', async (t) => {
  const service = await startTestService(t, {}, openMemory);
  const admin = new Visitor(service);
  await admin.signIn('admin');
  const shown = await admin.send(INVITE, INVITE, { userName: 'dora', firstName: 'Dora' });
  const text = await shown.text();
  const [, key] = /key=([\w-]{43})/.exec(text) ?? assert.fail(text);
  assert.ok(text.includes(`${service.url}/portal/choose-password?id=invitation`));
  const page = await (await admin.get('/portal/console/users/dora')).text();
  assert.match(page, /invite-user\?userName=dora/);
  assert.doesNotMatch(page, new RegExp(`${key}`));
  const again = await admin.send(INVITE, INVITE, { userName: 'a:b' });
  assert.equal(again.status, 422);
});
