import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAt, registerApp, STEP, withApp } from '../../capabilities/factors/pages/second-factor-browse.ts';
import { addAppPassword } from '../../service/app-passwords.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { ask, basic } from '../../service/talk.ts';
import { Visitor } from './browse.ts';

const DAY = 24 * 60 * 60_000;
const ENV = { TESSERA_THROTTLE_AFTER: '0', TESSERA_LOCKOUT_THRESHOLD: '0' };

const refusedAs = async ({ store }: TestService, reason: string) =>
  (await store.read(({ events }) => events.list({}))).some((event) => event.reason === reason);

/** A user with an app and an app password, and how a wrong code is answered after a program has logged in. */
async function guessing(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t, ENV);
  const anna = await withApp(service);
  const headers = basic(`anna:${await addAppPassword(service.store, 'anna')}`);
  anna.pass(60_000);
  const send = async (code: string) => {
    assert.equal((await ask(`${service.url}/touch`, { headers })).status, 200, 'the program logs in');
    return (await (await anna.atSecondStep()).post(STEP, { code })).text();
  };
  return { service, anna, send };
}

test('a right password between wrong codes clears nothing: codes have to wait from the tenth on', async (t) => {
  const { service, anna, send } = await guessing(t);
  for (let sent = 1; sent <= 10; sent += 1) assert.doesNotMatch(await send('1'), /1 second\b/);
  assert.match(await send(anna.code()), /1 second\b/);
  anna.pass(1_000);
  assert.equal(await send(anna.code()), '', 'a right code signs in');
  anna.pass(60_000);
  assert.doesNotMatch(await send('1'), /1 second\b/, 'and ends the count');
  assert.ok(await refusedAs(service, 'wrong-code'));
});

test('after 100 wrong codes in a row no code counts, whatever time passes; a recovery code does, and ends it', async (t) => {
  const { anna, send } = await guessing(t);
  for (let sent = 1; sent <= 100; sent += 1) {
    await send('1');
    anna.pass(DAY);
  }
  const told = await send(anna.code());
  assert.match(
    told,
    /a recovery code.*a passkey.*administrator/,
    'the app alone is not enough, and the page says what is',
  );
  assert.doesNotMatch(told, /This code is wrong/);
  anna.pass(30 * DAY);
  assert.notEqual(await send(anna.code()), '', 'and time does not help');
  const [code = ''] = anna.codes;
  assert.equal(await send(code), '');
  anna.pass(60_000);
  assert.equal(await send(anna.code()), '');
});

/** Sends 100 wrong codes in a row. */
async function exhaust({ anna, send }: Awaited<ReturnType<typeof guessing>>): Promise<void> {
  for (let sent = 1; sent <= 100; sent += 1) {
    await send('1');
    anna.pass(DAY);
  }
  assert.notEqual(await send(anna.code()), '');
}

test('an unlock ends it too', async (t) => {
  const found = await guessing(t);
  await exhaust(found);
  const { service, anna, send } = found;
  const key = await service.addApiKey('operator');
  const unlock = { method: 'DELETE', headers: { authorization: `Bearer ${key}` } };
  assert.equal((await ask(`${service.url}/alfresco/s/api/admin/lock-outs/anna`, unlock)).status, 204);
  assert.equal(await send(anna.code()), '');
});

test('a reset of the second factors ends it too: the next app of the user has all its codes', async (t) => {
  const found = await guessing(t);
  await exhaust(found);
  const { service, anna } = found;
  const reset = async (role: 'operator' | 'administrator') => {
    const headers = { authorization: `Bearer ${await service.addApiKey(role)}` };
    const url = `${service.url}/api/admin/users/anna/second-factor`;
    return (await ask(url, { method: 'DELETE', headers })).status;
  };
  assert.equal(await reset('operator'), 403, 'not for a lower role');
  assert.match(await found.send(anna.code()), /recovery code/);
  assert.equal(await reset('administrator'), 204);
  const visitor = new Visitor(service);
  await visitor.signIn('anna');
  const { key } = await registerApp(visitor, anna.now());
  anna.pass(60_000);
  assert.equal(await found.send(codeAt(key, anna.now())), '');
});
