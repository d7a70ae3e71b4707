import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD } from '../../../service/start.ts';
import { serviceWithAna } from './service.ts';

for (const { verb, back, does, afterwards } of [
  { verb: 'disable', back: 'enable', does: 'ends', afterwards: 401 },
  { verb: 'lock', back: 'unlock', does: 'suspends', afterwards: 200 },
]) {
  test(`${verb} ${does} tickets and refuses the right password from the next request on, until ${back}`, async (t) => {
    const { tessera, validate, tryLogin, tryBasic, logIn } = await serviceWithAna(t);
    const ticket = await logIn();
    const other = await logIn('admin');
    assert.equal(await tryBasic(), 404);

    await tessera(`users ${verb} ana`);
    assert.equal(await validate(ticket), 401);
    assert.equal((await tryLogin()).status, 403);
    assert.equal(await tryBasic(), 401);
    assert.equal(await validate(other), 200);

    await tessera(`users ${back} ana`);
    assert.equal(await validate(ticket), afterwards);
    assert.equal(await tryBasic(), 404);
    assert.equal((await tryLogin()).status, 200);
    assert.equal(await validate(await logIn()), 200);
  });
}

test('a user that is both disabled and locked stays out until both have ended, and its tickets stay dead', async (t) => {
  const { tessera, validate, tryLogin, logIn } = await serviceWithAna(t);
  const ticket = await logIn();
  await tessera('users disable ana');
  await tessera('users lock ana');
  await tessera('users enable ana');
  assert.equal((await tryLogin()).status, 403);
  await tessera('users unlock ana');
  assert.equal(await validate(ticket), 401);
  assert.equal((await tryLogin()).status, 200);
});

test('enabling revives no ticket of a user that an earlier version disabled without ending them', async (t) => {
  const { service, tessera, validate, logIn } = await serviceWithAna(t);
  const ticket = await logIn();
  await service.store.write(async ({ users }) => {
    const ana = await users.findByKey('ana');
    await users.change(ana?.id ?? 0, { disabled: true });
  });
  assert.equal(await validate(ticket), 401);
  await tessera('users enable ana');
  assert.equal(await validate(ticket), 401);
});

test('an import that disables a user ends its tickets, and one that enables it revives none', async (t) => {
  const { service, tessera, validate, logIn } = await serviceWithAna(t);
  const ticket = await logIn();
  const state = (disabled: boolean) =>
    tessera('users import - --update --without-hash', `${JSON.stringify({ name: 'ana', disabled })}\n`);
  await state(true);
  assert.equal((await service.store.read(({ users }) => users.findByKey('ana')))?.generation, 1);
  await state(false);
  assert.equal(await validate(ticket), 401);
  assert.equal(await validate(await logIn()), 200);
});

test('a user without a password does not get in while it is disabled or locked', async (t) => {
  const { tessera, tryLogin } = await serviceWithAna(t);
  await tessera('users add guest --no-password');
  assert.equal((await tryLogin('', 'guest')).status, 200);
  await tessera('users lock guest');
  assert.equal((await tryLogin('', 'guest')).status, 403);
  await tessera('users unlock guest');
  await tessera('users disable guest');
  assert.equal((await tryLogin('', 'guest')).status, 403);
});

test('unlock forgets the failures of the name, so that the next try need not wait', async (t) => {
  const { tessera, tryLogin, failUntilWaiting } = await serviceWithAna(t);
  await failUntilWaiting();
  assert.deepEqual(await tryLogin(), { status: 403, waits: true });
  await tessera('users unlock ana');
  assert.deepEqual(await tryLogin(PASSWORD), { status: 200, waits: false });
});

test('unlock ends a lock-out that failures brought about, and the tickets are valid again', async (t) => {
  const env = { TESSERA_LOCKOUT_THRESHOLD: '3', TESSERA_THROTTLE_AFTER: '0' };
  const { tessera, validate, tryLogin, logIn } = await serviceWithAna(t, env);
  const ticket = await logIn();
  for (const password of ['wrong-one', 'wrong-two', 'wrong-three']) await tryLogin(password);
  assert.equal(await validate(ticket), 401);
  assert.deepEqual(await tryLogin(), { status: 403, waits: true });
  assert.match(await tessera('users list'), /ana +false +locked until \d{4}-/);
  await tessera('users unlock ana');
  assert.equal(await validate(ticket), 200);
  assert.equal((await tryLogin()).status, 200);
});
