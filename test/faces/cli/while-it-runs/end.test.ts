import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD } from '../../../service/start.ts';
import { serviceWithAna } from './service.ts';

const NEW = 'staple-and-battery';

test('passwd ends the tickets, and only the new password is accepted by the next request', async (t) => {
  const { tessera, validate, tryLogin, tryBasic, logIn } = await serviceWithAna(t);
  const ticket = await logIn();
  const other = await logIn('admin');
  assert.equal(await tryBasic(), 404);

  await tessera('users passwd ana --password-stdin', `${NEW}\n`);
  assert.equal(await validate(ticket), 401);
  assert.equal((await tryLogin(PASSWORD)).status, 403);
  assert.equal(await tryBasic(PASSWORD), 401);
  assert.equal(await tryBasic(NEW), 404);
  assert.equal(await validate(await logIn('ana', NEW)), 200);
  assert.equal(await validate(other), 200);
});

test('passwd with the password that it was ends the tickets all the same', async (t) => {
  const { tessera, validate, logIn } = await serviceWithAna(t);
  const ticket = await logIn();
  await tessera('users passwd ana --password-stdin', `${PASSWORD}\n`);
  assert.equal(await validate(ticket), 401);
  assert.equal(await validate(await logIn()), 200);
});

test('passwd gives a password to a user without one, and only that password works then', async (t) => {
  const { tessera, tryLogin } = await serviceWithAna(t);
  await tessera('users add guest --no-password');
  assert.equal((await tryLogin('anything', 'guest')).status, 200);
  await tessera('users passwd guest --password-stdin', `${NEW}\n`);
  assert.equal((await tryLogin('anything', 'guest')).status, 403);
  assert.equal((await tryLogin(NEW, 'guest')).status, 200);
});

test('revoke --user ends that user’s tickets and no others; a new login is fine', async (t) => {
  const { tessera, validate, tryBasic, logIn } = await serviceWithAna(t);
  const tickets = [await logIn(), await logIn()];
  const other = await logIn('admin');
  await tessera('tickets revoke --user ANA');
  assert.deepEqual(await Promise.all(tickets.map(validate)), [401, 401]);
  assert.equal(await validate(other), 200);
  assert.equal(await tryBasic(), 404);
  assert.equal(await validate(await logIn()), 200);
});

test('revoke --all ends every ticket; a new login is fine', async (t) => {
  const { tessera, validate, logIn } = await serviceWithAna(t);
  const tickets = [await logIn(), await logIn('admin')];
  await tessera('tickets revoke --all');
  assert.deepEqual(await Promise.all(tickets.map(validate)), [401, 401]);
  assert.equal(await validate(await logIn()), 200);
  assert.equal(await validate(await logIn('admin')), 200);
});

test('remove ends tickets and password, and a later user of that name inherits nothing', async (t) => {
  const { tessera, validate, tryLogin, tryBasic, logIn } = await serviceWithAna(t);
  const ticket = await logIn();
  assert.equal(await tryBasic(), 404);

  await tessera('users remove ana');
  assert.equal(await validate(ticket), 401);
  assert.equal((await tryLogin()).status, 403);
  assert.equal(await tryBasic(), 401);

  await tessera('users add ana --password-stdin', `${NEW}\n`);
  assert.equal(await validate(ticket), 401);
  assert.equal((await tryLogin()).status, 403);
  assert.equal(await tryBasic(), 401);
  assert.equal(await tessera('tickets list --user ana --json'), '[]\n');
  assert.equal(await validate(await logIn('ana', NEW)), 200);
});
