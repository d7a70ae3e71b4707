import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  sentenceOfSignIn,
  whyNotSignIn,
  whyUnknown,
} from '../../../../src/capabilities/people/rules/why-not-sign-in.ts';
import { userLike } from '../../../core/domain/samples.ts';
import { PASSWORD, startTestService, type TestService } from '../../../service/start.ts';
import { ask, logIn } from '../../../service/talk.ts';
import { asked } from './asked.ts';

const HARD = 'four quiet rivers meeting';
const ADDRESS = '127.0.0.1';

const sent = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) });

/** A service whose clock stands still, with the user ann. */
async function started(t: Parameters<typeof startTestService>[0], env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  service.stopClock();
  await service.addUser('ann');
  return service;
}

async function fail({ url }: TestService, username: string, times: number, password = 'wrong') {
  for (let left = times; left > 0; left -= 1)
    await ask(`${url}/api/login`, sent('POST', { username, password }));
}

async function finding(service: TestService, name = 'ann') {
  const { status, body } = await asked(service, `/users/${name}/sign-in`, {}, 'operator');
  assert.equal(status, 200);
  return body;
}

/** The parts of the finding that tests compare, without times. */
async function told(service: TestService, name?: string) {
  const { canSignIn, reason, detail } = await finding(service, name);
  return [canSignIn, reason, detail.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')];
}

test('a name that no user has is told so, and one that was removed with who removed it', async (t) => {
  const service = await started(t);
  assert.deepEqual(await told(service, 'zoe'), [false, 'unknown-name', 'There is no user "zoe".']);
  await asked(service, '/users/ann', { method: 'DELETE' });
  const [canSignIn, reason, detail] = await told(service);
  assert.deepEqual([canSignIn, reason], [false, 'removed']);
  assert.match(detail, /^There is no user "ann" any more: it was removed on T by key:administrator-\w+\.$/);
});

test('a name that differs by case only is told the other one, where case counts', async (t) => {
  const service = await started(t, { TESSERA_NAMES_CASE_SENSITIVE: 'true' });
  await service.addUser('Bo');
  const sentence = (name: string, other: string) =>
    `There is no user "${name}", but there is "${other}": here names differ by case.`;
  assert.deepEqual(await told(service, 'ANN'), [false, 'name-in-other-case', sentence('ANN', 'ann')]);
  assert.deepEqual(await told(service, 'bo'), [false, 'unknown-name', 'There is no user "bo".']);
  for (const name of ['Carlos', 'Carl']) await service.addUser(name);
  assert.equal((await finding(service, 'CARL')).otherName, 'Carl');
  await service.addUser('BO');
  await logIn(service.url, 'Bo');
  assert.equal((await finding(service, 'BO')).reason, 'never-signed-in');
  assert.deepEqual(await told(service, 'bo'), [false, 'name-in-other-case', sentence('bo', 'BO')]);
});

test('in front of the old server, it decides over a name that is unknown here', async (t) => {
  const service = await started(t, { TESSERA_SHADOW: 'http://127.0.0.1:9/alfresco' });
  const sentence = 'There is no user "zoe" here yet. The old server decides when the name logs in.';
  assert.deepEqual(await told(service, 'zoe'), [true, 'old-server-decides', sentence]);
});

test('a disabled and a locked user are told with since when and by whom', async (t) => {
  const service = await started(t);
  await asked(service, '/users/ann', sent('PATCH', { locked: true }));
  const locked = await told(service);
  assert.deepEqual(locked.slice(0, 2), [false, 'locked-by-hand']);
  assert.match(locked[2], /^"ann" is locked since T by key:administrator-\w+, until it is unlocked\.$/);
  await asked(service, '/users/ann', sent('PATCH', { disabled: true }));
  const { canSignIn, reason, detail, since, by } = await finding(service);
  assert.deepEqual([canSignIn, reason], [false, 'disabled']);
  assert.equal(detail, `"ann" is disabled since ${since} by ${by}.`);
});

test('a lock-out by failures is told with its end, the failures and the last address', async (t) => {
  const service = await started(t, { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '4' });
  await fail(service, 'ann', 4);
  const { canSignIn, reason, count, address, since, until, detail, refused, lastSuccess } =
    await finding(service);
  assert.deepEqual([canSignIn, reason, count, address], [false, 'locked', 4, ADDRESS]);
  assert.equal(Date.parse(until) - Date.parse(since), 900_000);
  assert.equal(
    detail,
    `"ann" is locked out until ${until}: 4 logins failed since ${since}, the last one from ${ADDRESS}. From an address where it logged in within the last 30 days it can.`,
  );
  assert.deepEqual(refused, [{ reason: 'wrong-password', from: ADDRESS, count: 4, last: since }]);
  assert.equal(lastSuccess, undefined);
  service.shiftClock(900_000);
  assert.equal((await finding(service)).reason, 'wrong-password');
});

test('a wait at one address is told with the address, and elsewhere the user can log in', async (t) => {
  const service = await started(t, { TESSERA_THROTTLE_AFTER: '2' });
  await fail(service, 'ann', 2);
  const sentence = `"ann" has to wait at ${ADDRESS} until T: 2 logins from there failed. From elsewhere it can log in.`;
  assert.deepEqual(await told(service), [true, 'waiting', sentence]);
});

test('a wait of a network is told with an address of it', async (t) => {
  const service = await started(t, { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '20' });
  await fail(service, 'ann', 5);
  const sentence = `"ann" has to wait in the network of ${ADDRESS} until T: too many logins from there failed. From elsewhere it can log in.`;
  assert.deepEqual(await told(service), [true, 'network-waiting', sentence]);
});

test('a wait of an address holds for every name, and is told without one', () => {
  const lockOut = {
    reason: 'address-waiting',
    address: '192.0.2.1',
    failures: 1_000,
    since: 0,
    until: 1,
  } as const;
  const nothing = {
    ...{ provider: undefined, barred: undefined, lastSuccess: undefined },
    ...{ passwordSet: undefined, fullAt: undefined },
  };
  const found = whyNotSignIn({ user: userLike(), lockOuts: [lockOut], refusals: [], ...nothing });
  assert.equal(found.canSignIn, true);
  assert.equal(
    sentenceOfSignIn(found),
    '192.0.2.1 has to wait until 1970-01-01T00:00:00.001Z, with every name: too many logins from there failed.',
  );
});

test('wrong passwords are counted since the last success', async (t) => {
  const service = await started(t);
  await fail(service, 'ann', 1);
  service.shiftClock(1_000);
  await logIn(service.url, 'ann');
  service.shiftClock(1_000);
  await fail(service, 'ann', 1);
  const sentence = (logins: string) =>
    `"ann" can log in. Since its last login ${logins} had a wrong password, the last one from ${ADDRESS}.`;
  assert.deepEqual(await told(service), [true, 'wrong-password', sentence('1 login')]);
  await fail(service, 'ann', 2);
  assert.deepEqual(await told(service), [true, 'wrong-password', sentence('3 logins')]);
  assert.equal((await finding(service)).lastSuccess.from, ADDRESS);
});

test('a password that was set since the last success is told, if wrong ones came after it', async (t) => {
  const service = await started(t);
  await logIn(service.url, 'ann');
  service.shiftClock(1_000);
  await fail(service, 'ann', 2);
  service.shiftClock(1_000);
  await asked(service, '/users/ann/password', sent('PUT', { password: HARD }));
  assert.equal((await finding(service)).reason, 'new-password-required');
  service.shiftClock(1_000);
  await fail(service, 'ann', 1, PASSWORD);
  const [canSignIn, reason, detail] = await told(service);
  assert.deepEqual([canSignIn, reason], [true, 'password-changed']);
  assert.match(
    detail,
    /^The password of "ann" was set on T by key:administrator-\w+\. Since then 1 login had a wrong password, the last one from 127\.0\.0\.1\.$/,
  );
  service.shiftClock(1_000);
  await logIn(service.url, 'ann', HARD);
  service.shiftClock(1_000);
  await fail(service, 'ann', 1, PASSWORD);
  assert.equal((await finding(service)).reason, 'wrong-password');
});

test('what an earlier user of the name did is not told of the new one', async (t) => {
  const service = await started(t);
  await logIn(service.url, 'ann');
  await fail(service, 'ann', 1);
  await asked(service, '/users/ann', { method: 'DELETE' });
  service.shiftClock(1_000);
  await asked(
    service,
    '/users',
    sent('POST', { userName: 'ann', password: HARD, mustChangePassword: false }),
  );
  const { reason, refused } = await finding(service);
  assert.deepEqual([reason, refused], ['never-signed-in', []]);
});

test('too many live tickets are told, if the settings refuse one more', async (t) => {
  const full = { TESSERA_TICKETS_PER_USER: '2', TESSERA_TICKETS_FULL: 'refuse' };
  const service = await started(t, full);
  const first = await logIn(service.url, 'ann');
  await logIn(service.url, 'ann');
  const sentence = '"ann" has 2 live tickets, and the settings refuse one more: end some of them.';
  assert.deepEqual(await told(service), [false, 'tickets-full', sentence]);
  const end = `${service.url}/api/login/ticket/${first}?alf_ticket=${first}`;
  assert.equal((await ask(end, { method: 'DELETE' })).status, 200);
  assert.equal((await finding(service)).reason, 'signed-in');
  const replacing = await started(t, { ...full, TESSERA_TICKETS_FULL: 'replace-oldest' });
  for (const _ of [1, 2]) await logIn(replacing.url, 'ann');
  assert.equal((await finding(replacing)).reason, 'signed-in');
});

test('a user whom nothing keeps out is told what happened last', async (t) => {
  const service = await started(t);
  assert.deepEqual(await told(service), [
    ...[true, 'never-signed-in', '"ann" can log in. The events know of no login.'],
  ]);
  await logIn(service.url, 'ann');
  const signedIn = `"ann" can log in, and did so last on T from ${ADDRESS}.`;
  assert.deepEqual(await told(service, 'ANN'), [true, 'signed-in', signedIn]);
  await asked(service, '/users/ann', sent('PATCH', { mustChangePassword: true }));
  const required = '"ann" can log in. The sign-in page asks it for a new password.';
  assert.deepEqual(await told(service), [true, 'new-password-required', required]);
  await service.addUser('guest', { password: undefined });
  const open = '"guest" has no password: anybody can log in with this name.';
  assert.deepEqual(await told(service, 'guest'), [true, 'without-password', open]);
});

test('an earlier refusal for another reason than the password is told with its reason', async (t) => {
  const service = await started(t);
  await asked(service, '/users/ann', sent('PATCH', { disabled: true }));
  await fail(service, 'ann', 1);
  await asked(service, '/users/ann', sent('PATCH', { disabled: false }));
  const sentence = `"ann" can log in now. The last login was refused on T from ${ADDRESS}: disabled.`;
  assert.deepEqual(await told(service), [true, 'refused-before', sentence]);
});

test('a program that sends the password of a user with a second factor needs an app password', async (t) => {
  const service = await started(t);
  await service.store.write(async ({ users }) => {
    const ann = (await users.findByKey('ann')) ?? assert.fail();
    await users.change(ann.id, { hasSecondFactor: true });
  });
  await fail(service, 'ann', 1, PASSWORD);
  const sentence = `"ann" can sign in on the portal. 1 login of programs had the right password, the last one from ${ADDRESS}: the user has a second factor, so programs need an app password.`;
  assert.deepEqual(await told(service), [true, 'app-password-needed', sentence]);
});

test('an auditor is not told, since the answer shows the state of a user', async (t) => {
  const service = await started(t);
  assert.equal((await asked(service, '/users/ann/sign-in', {}, 'auditor')).status, 403);
});

test('a removal that no event tells any more is told without a date', () => {
  const unknown = {
    name: 'ann',
    removed: {},
    otherName: undefined,
    asksOldServer: true,
    asksDirectory: false,
  };
  assert.equal(sentenceOfSignIn(whyUnknown(unknown)), 'There is no user "ann" any more: it was removed.');
});
