import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newGroup } from '../../../../src/core/domain/group.ts';
import { digestOfSecret } from '../../../../src/core/identity/client-secret.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { ask, basic, logIn } from '../../../service/talk.ts';
import { withApp } from '../../factors/pages/second-factor-browse.ts';

const NEW = 'an even longer, quieter river';
const APP_PASSWORD = `tap_${'a'.repeat(32)}`;
const SUCCESS = '{\n   "success" :    true\n}';

interface Passwords {
  readonly oldpw?: string;
  readonly newpw?: string;
}

/** A service with ann and bob, and a way to ask it for a change. */
async function started(t: TestContext, settings: Record<string, string> = {}) {
  const service = await startTestService(t, settings);
  for (const name of ['ann', 'bob']) await service.addUser(name);
  const change = async (
    name: string,
    passwords: Passwords,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string; message: string; headers: Headers }> => {
    const path = `${service.url}/alfresco/service/api/person/changepassword/${encodeURIComponent(name)}`;
    const answered = await ask(path, { method: 'POST', headers, body: JSON.stringify(passwords) });
    return { ...answered, message: JSON.parse(answered.text).message };
  };
  return { service, change };
}

const bearer = (ticket: string) => ({ authorization: `Bearer ${ticket}` });

async function isLive({ url }: TestService, ticket: string): Promise<boolean> {
  return (await ask(`${url}/touch?alf_ticket=${ticket}`)).status === 200;
}

async function isRight({ url }: TestService, name: string, password: string): Promise<boolean> {
  return (await ask(`${url}/touch`, { headers: basic(`${name}:${password}`) })).status === 200;
}

const eventsOf = ({ store }: TestService, kind: string) =>
  store.read(async ({ events }) => (await events.list({})).filter((event) => event.kind === kind));

test('users change their own password, and of their tickets only the presented one stays', async (t) => {
  const { service, change } = await started(t);
  const [presented, other] = [await logIn(service.url, 'ann'), await logIn(service.url, 'ann')];
  const ofBob = await logIn(service.url, 'bob');
  const { status, text } = await change('Ann', { oldpw: PASSWORD, newpw: NEW }, bearer(presented));
  assert.equal(`${status} ${text}`, `200 ${SUCCESS}`);
  assert.deepEqual(
    [await isLive(service, presented), await isLive(service, other), await isLive(service, ofBob)],
    [true, false, true],
  );
  assert.deepEqual(
    [await isRight(service, 'ann', PASSWORD), await isRight(service, 'ann', NEW)],
    [false, true],
  );
  const again = await change('ann', { oldpw: NEW, newpw: PASSWORD }, bearer(presented));
  assert.equal(again.status, 200);
  assert.equal(await isLive(service, presented), true);
});

test('a change is an event that says who changed whose password, and from where', async (t) => {
  const { service, change } = await started(t);
  await change('ann', { oldpw: PASSWORD, newpw: NEW }, bearer(await logIn(service.url, 'ann')));
  await change('bob', { newpw: NEW }, bearer(await logIn(service.url)));
  const events = await eventsOf(service, 'password-changed');
  assert.deepEqual(
    events.map(({ user, actor, from }) => [user, actor, from]),
    [
      ['ann', 'ann', '127.0.0.1'],
      ['bob', 'admin', '127.0.0.1'],
    ],
  );
  assert.ok(!JSON.stringify(await service.store.read(({ events }) => events.list({}))).includes(NEW));
  assert.ok(!service.lines.some((line) => line.includes(NEW) || line.includes(PASSWORD)));
});

test('a caller by user name and password changes it too, and every ticket of the user ends', async (t) => {
  const { service, change } = await started(t);
  const ticket = await logIn(service.url, 'ann');
  const pair = basic(`ann:${PASSWORD}`);
  assert.equal((await change('ann', { oldpw: PASSWORD, newpw: NEW }, pair)).status, 200);
  assert.equal(await isLive(service, ticket), false);
  assert.equal((await change('ann', { oldpw: PASSWORD, newpw: NEW }, pair)).status, 401);
});

test('an administrator changes the password of another user without the old one, and all tickets of that user end', async (t) => {
  const { service, change } = await started(t);
  const [ofAdmin, ofBob] = [await logIn(service.url), await logIn(service.url, 'bob')];
  assert.equal((await change('BOB', { newpw: NEW }, bearer(ofAdmin))).text, SUCCESS);
  assert.deepEqual([await isLive(service, ofBob), await isLive(service, ofAdmin)], [false, true]);
  assert.equal(await isRight(service, 'bob', NEW), true);
});

test('an administrator needs the old password for the own one, and the name of a user that exists', async (t) => {
  const { service, change } = await started(t);
  const ticket = bearer(await logIn(service.url));
  const own = await change('admin', { newpw: NEW }, ticket);
  assert.equal(`${own.status} ${own.message}`, "400 Old password 'oldpw' is a required POST parameter.");
  const unknown = await change('nobody', { newpw: NEW }, ticket);
  assert.equal(`${unknown.status} ${unknown.message}`, '404 The user nobody could not be found');
  assert.equal((await change('admin', { oldpw: PASSWORD, newpw: NEW }, ticket)).status, 200);
});

test('nobody else changes the password of another user, whether or not there is one', async (t) => {
  const { service, change } = await started(t);
  const ticket = bearer(await logIn(service.url, 'ann'));
  for (const name of ['bob', 'admin', 'nobody']) {
    for (const newpw of [NEW, 'x']) {
      const { status, message } = await change(name, { oldpw: PASSWORD, newpw }, ticket);
      assert.equal(`${status} ${message}`, '403 Only an administrator may change this password');
    }
  }
  assert.equal(await isRight(service, 'bob', PASSWORD), true);
  assert.deepEqual(await eventsOf(service, 'login-refused'), []);
});

test('a user without a password gives itself none: everybody may use such an account', async (t) => {
  const { service, change } = await started(t);
  await service.addUser('guest', { password: undefined });
  const ticket = bearer(await logIn(service.url, 'guest', ''));
  const { status } = await change('guest', { oldpw: 'any', newpw: NEW }, ticket);
  assert.equal(status, 403);
});

test('a wrong old password changes nothing, and counts as a failed login', async (t) => {
  const { service, change } = await started(t, { TESSERA_THROTTLE_AFTER: '2' });
  const ticket = await logIn(service.url, 'ann');
  for (let failures = 0; failures < 2; failures += 1) {
    const { status, message } = await change('ann', { oldpw: 'wrong', newpw: NEW }, bearer(ticket));
    assert.equal(`${status} ${message}`, '401 The old password is wrong');
  }
  assert.equal((await eventsOf(service, 'login-refused')).length, 2);
  const waiting = await change('ann', { oldpw: PASSWORD, newpw: NEW }, bearer(ticket));
  assert.equal(waiting.status, 401);
  assert.ok(Number(waiting.headers.get('retry-after')) > 0);
  const login = await ask(`${service.url}/api/login?u=ann&pw=${PASSWORD}`);
  assert.equal(login.status, 403);
  assert.equal(await isLive(service, ticket), true);
});

test('a right old password clears the failures that came before it, as a login does', async (t) => {
  const { service, change } = await started(t, { TESSERA_THROTTLE_AFTER: '2' });
  const ticket = bearer(await logIn(service.url, 'ann'));
  assert.equal(await isRight(service, 'ann', 'wrong'), false);
  assert.equal((await change('ann', { oldpw: PASSWORD, newpw: NEW }, ticket)).status, 200);
  assert.equal(await isRight(service, 'ann', 'wrong'), false);
  assert.equal(await isRight(service, 'ann', NEW), true);
});

test('an administrator by a group changes passwords, until the role is taken away', async (t) => {
  const { service, change } = await started(t);
  const ticket = bearer(await logIn(service.url, 'ann'));
  const chiefs = await service.store.write(async ({ users, groups }) => {
    const group = await groups.add(newGroup('chiefs', { role: 'administrator' }));
    const ann = await users.findByKey('ann');
    assert.ok(group && ann);
    await groups.addUser(group.id, ann.id);
    return group;
  });
  assert.equal((await change('bob', { newpw: NEW }, ticket)).status, 200);
  await service.store.write(({ groups }) => groups.change(chiefs.id, { role: 'operator' }));
  assert.equal((await change('bob', { newpw: PASSWORD }, ticket)).status, 403);
  assert.equal(await isRight(service, 'bob', NEW), true);
});

test('a new password passes the rules for new passwords, or the refusal says what to choose', async (t) => {
  const { service, change } = await started(t, { TESSERA_PASSWORD_LENGTH: '12' });
  const ticket = bearer(await logIn(service.url, 'ann'));
  for (const [newpw, why] of [
    ['short', 'New password refused: the password has 5 characters: choose one of 12 or more'],
    ['password1234', /^New password refused: the password is (soon guessed|one of the most common)/],
    ['x'.repeat(1_025), /longer than 1024 bytes/],
  ] as const) {
    const { status, message } = await change('ann', { oldpw: PASSWORD, newpw }, ticket);
    assert.equal(status, 400);
    if (typeof why === 'string') assert.equal(message, why);
    else assert.match(message, why);
  }
  assert.equal(await isRight(service, 'ann', PASSWORD), true);
});

test('a user who chose a new password need not choose another, which may not be the old one', async (t) => {
  const { service, change } = await started(t);
  const ticket = bearer(await logIn(service.url));
  const mustChange = (name: string) =>
    service.store.read(async ({ users }) => (await users.findByKey(name))?.mustChangePassword);
  assert.equal((await change('ann', { newpw: NEW }, ticket)).status, 200);
  assert.equal(await mustChange('ann'), true);
  const ofAnn = bearer(await logIn(service.url, 'ann', NEW));
  const same = await change('ann', { oldpw: NEW, newpw: NEW }, ofAnn);
  const why = 'New password refused: the new password is the old one: choose another';
  assert.equal(`${same.status} ${same.message}`, `400 ${why}`);
  assert.equal(await mustChange('ann'), true);
  assert.equal((await change('ann', { oldpw: NEW, newpw: PASSWORD }, ofAnn)).status, 200);
  assert.equal(await mustChange('ann'), false);
  assert.equal((await change('ann', { oldpw: PASSWORD, newpw: PASSWORD }, ofAnn)).status, 200);
});

test('a body that lacks something is refused with what it lacks', async (t) => {
  const { service, change } = await started(t);
  const ticket = bearer(await logIn(service.url, 'ann'));
  for (const [passwords, message] of [
    [{ newpw: NEW }, "Old password 'oldpw' is a required POST parameter."],
    [{ oldpw: '', newpw: NEW }, "Old password 'oldpw' is a required POST parameter."],
    [{ oldpw: PASSWORD }, "New password 'newpw' is a required POST parameter."],
    [{ oldpw: PASSWORD, newpw: '' }, "New password 'newpw' is a required POST parameter."],
  ] as const) {
    const refused = await change('ann', passwords, ticket);
    assert.equal(`${refused.status} ${refused.message}`, `400 ${message}`);
  }
});

test('a page of another site changes no password: a browser may add one to the request by itself', async (t) => {
  const { change } = await started(t);
  const headers = {
    ...basic(`admin:${PASSWORD}`),
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
  };
  assert.equal((await change('bob', { newpw: NEW }, headers)).status, 403);
});

test('of two changes at once one is done, and the other is told that the old password is wrong', async (t) => {
  const { service, change } = await started(t);
  const ticket = bearer(await logIn(service.url, 'ann'));
  const changes = ['one long quiet river', 'two long quiet rivers'].map((newpw) =>
    change('ann', { oldpw: PASSWORD, newpw }, ticket),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 401]);
});

test('an app password, and a ticket of one, change no password, though the old one is right', async (t) => {
  const { service, change } = await started(t);
  const digest = digestOfSecret(APP_PASSWORD);
  const more = { madeAt: 0, expiresAt: undefined, usedAt: undefined, addresses: [] };
  await service.store.write(async ({ appPasswords, users }) => {
    const ann = (await users.findByKey('ann')) ?? assert.fail();
    await appPasswords.add({ userId: ann.id, name: 'mail', digest, ...more });
  });
  const ticket = await logIn(service.url, 'ann', APP_PASSWORD);
  for (const credential of [bearer(ticket), basic(`ann:${APP_PASSWORD}`)]) {
    const { status } = await change('ann', { oldpw: PASSWORD, newpw: NEW }, credential);
    assert.equal(status, 403);
  }
  assert.ok(await isRight(service, 'ann', PASSWORD));
});

test('a user with a second factor changes no password by API: a ticket proves no factor', async (t) => {
  const { service, change } = await started(t);
  const anna = await withApp(service);
  const ticket = bearer(anna.visitor.cookies.get('tessera') ?? assert.fail('anna is not signed in'));
  const { status, message } = await change('anna', { oldpw: PASSWORD, newpw: NEW }, ticket);
  assert.equal(
    `${status} ${message}`,
    '403 A user with a second factor changes this on the account page, after a sign-in with that factor',
  );
  await anna.atSecondStep();
  assert.deepEqual(await eventsOf(service, 'password-changed'), []);
});

test('nor does an administrator change the own credentials by API, but those of others', async (t) => {
  const { service, change } = await started(t);
  const anna = await withApp(service);
  await service.store.write(async ({ users }) => {
    const { id } = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(id, { administrator: true });
  });
  const headers = bearer(anna.visitor.cookies.get('tessera') ?? assert.fail('anna is not signed in'));
  const administer = async (method: string, path: string, body?: object) =>
    (
      await ask(`${service.url}/alfresco/service/api/admin/users/${path}`, {
        ...{ method, headers, ...(body && { body: JSON.stringify(body) }) },
      })
    ).status;
  assert.deepEqual(
    [
      await administer('PUT', 'anna/password', { password: NEW }),
      await administer('POST', 'anna/app-passwords', { name: 'scanner' }),
      await administer('DELETE', 'Anna/second-factor'),
    ],
    [403, 403, 403],
  );
  assert.equal(await administer('POST', 'bob/app-passwords', { name: 'scanner' }), 201);
  assert.equal(await administer('PUT', 'bob/password', { password: NEW }), 204);
  assert.equal((await change('ann', { newpw: NEW }, headers)).status, 200);
});
