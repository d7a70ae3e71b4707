import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formTokenOf } from '../../../../src/core/gate/tickets.ts';
import { Visitor } from '../../../faces/pages/browse.ts';
import { addAppPassword } from '../../../service/app-passwords.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';

test('no app password signs in on the portal, and the attempt counts as a failure', async (t) => {
  const service = await startTestService(t, { TESSERA_LOCKOUT_THRESHOLD: '2', TESSERA_THROTTLE_AFTER: '0' });
  const secret = await addAppPassword(service.store, 'admin');
  const visitor = new Visitor(service);
  const signIn = (password: string) => visitor.post('/portal/login', { username: 'admin', password });
  for (let time = 0; time < 2; time += 1) assert.equal((await signIn(secret)).status, 403);
  assert.equal(visitor.cookies.size, 0);
  assert.equal((await signIn(PASSWORD)).status, 429);
  const events = await service.store.read((unit) => unit.events.list({}));
  assert.equal(events.find(({ kind }) => kind === 'login-refused')?.reason, 'app password on a page');
  assert.ok(events.some(({ kind }) => kind === 'lock'));
});

test('a ticket of an app password opens no page, and changes nothing there; the gate takes it as any', async (t) => {
  const service = await startTestService(t);
  const secret = await addAppPassword(service.store, 'admin');
  const own = new Visitor(service);
  own.cookies.set('tessera', await logIn(service.url));
  const visitor = new Visitor(service);
  const ticket = await logIn(service.url, 'admin', secret);
  visitor.cookies.set('tessera', ticket);
  for (const page of ['/portal/account', '/portal/console', '/portal/console/users']) {
    assert.equal((await own.get(page)).status, 200, page);
    const refused = await visitor.get(page);
    assert.equal(refused.status, 303, page);
    const location = refused.headers.get('location') ?? '';
    assert.match(location, /^\/portal\/login\?/);
    assert.equal((await visitor.get(location)).status, 200, 'the sign-in page does not lead back');
  }
  const form = { formToken: formTokenOf(ticket) };
  assert.equal((await visitor.post('/portal/account/tickets/end-others', form)).status, 303);
  assert.equal((await own.get('/portal/account')).status, 200, 'the ticket of the refused form is not ended');
  assert.equal((await visitor.get('/gate')).status, 204);
});
