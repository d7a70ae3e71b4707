import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../src/client/client.ts';
import { PASSWORD, startTestService } from '../service/start.ts';
import { refusedWith } from './refused.ts';
import { json, scripted } from './scripted.ts';

const ADMIN = { username: 'admin', password: PASSWORD };

test('a login gives a ticket, which is valid until its logout', async (t) => {
  const { url } = await startTestService(t);
  for (const base of [`${url}/alfresco/service`, `${url}/alfresco/s/`, url]) {
    const client = new Client(base);
    const { ticket } = await client.login(ADMIN);
    const mine = client.withTicket(ticket);
    assert.deepEqual(await mine.validate(), { ticket });
    assert.equal(await mine.logout(), undefined);
    const dead = await refusedWith('authentication_needed', mine.validate());
    assert.equal(dead.status, 401);
    assert.match(dead.requestId ?? '', /^[0-9a-f]{8}-/);
    await refusedWith('authentication_needed', mine.logout());
    await refusedWith('authentication_needed', mine.actionDefinitions());
  }
});

test('a user without a password logs in with the name alone', async (t) => {
  const { url, addUser } = await startTestService(t);
  await addUser('guest', { password: undefined });
  const { ticket } = await new Client(url).login({ username: 'guest' });
  assert.match(ticket, /^TICKET_[0-9a-f]{40}$/);
});

test('a login that is refused says which refusal it is, and how long to wait', async (t) => {
  const { url, stopClock } = await startTestService(t, { TESSERA_THROTTLE_AFTER: '1' });
  stopClock();
  const client = new Client(url);
  await refusedWith('username_missing', client.login({ username: '' }));
  await refusedWith('password_missing', client.login({ username: 'admin' }));
  const wrong = { username: 'admin', password: 'wrong' };
  const first = await refusedWith('login_failed', client.login(wrong));
  assert.deepEqual([first.status, first.message], [403, 'Login failed']);
  const waiting = await refusedWith('login_failed', client.login(ADMIN));
  assert.equal(waiting.retryAfter, 1);
});

test('a code is known by its name, also where a password is part of it; one that is none of the API is no code', async (t) => {
  const { url } = await startTestService(t);
  await refusedWith('login_failed', new Client(url).login({ username: 'admin', password: 'in' }));
  for (const code of ['InvalidToken', 'toString', 404]) {
    const gateway = await scripted(t, json({ code }, 404));
    await refusedWith('unnamed', new Client(gateway.url).login(ADMIN));
  }
});

test('the definitions are listed for everything, for a node and for a path', async (t) => {
  const { url } = await startTestService(t);
  const client = new Client(url);
  const mine = client.withTicket((await client.login(ADMIN)).ticket);
  const names = async (...scope: Parameters<typeof mine.actionDefinitions>) =>
    (await mine.actionDefinitions(...scope)).map(({ name }) => name);
  const all = await names();
  const ofFolder = await names({ node: 'workspace://SpacesStore/sites' });
  assert.ok(ofFolder.length > 0 && ofFolder.length < all.length);
  assert.deepEqual(await names({ path: 'Company Home/Sites' }), ofFolder);
  assert.deepEqual(
    await names({ path: ['Company Home', 'Sites'], store: 'workspace://SpacesStore' }),
    ofFolder,
  );
  await refusedWith('store_not_found', names({ node: 'workspace://Nowhere/sites' }));
  await refusedWith('node_not_found', names({ node: 'workspace://SpacesStore/a/b c/%2F' }));
  const none = await refusedWith('path_not_found', names({ path: 'Company Home/Nothing' }));
  assert.equal(none.status, 404);
});

test('a call that makes no sense is refused before anything is sent', async (t) => {
  const { url, received } = await scripted(t, json([]));
  const mine = new Client(url).withTicket('TICKET_x');
  for (const [scope, said] of [
    [{ node: 'sites' }, /"sites" is no node: write one such as/],
    [{ node: 'workspace://SpacesStore/..' }, /"\.\." cannot stand between two slashes/],
    [{ path: 'Company Home/../login' }, /"\.\." cannot stand/],
    [{ path: ['Company Home', ''] }, /"" cannot stand/],
    [{ path: 'Company Home/\ud800' }, /cannot stand/],
    [{ path: '/' }, /holds no name/],
    [{ path: 'Company Home', store: 'SpacesStore' }, /"SpacesStore" is no store/],
    [{ path: 'Company Home', node: 'workspace://SpacesStore/x' } as never, /not both/],
  ] as const)
    await assert.rejects(mine.actionDefinitions(scope), { name: 'TypeError', message: said });
  for (const language of ['中文', 'de\nx-other: 1'])
    await assert.rejects(mine.actionDefinitions({}, { language }), {
      name: 'TypeError',
      message: /is no language: write a tag such as de/,
    });
  assert.deepEqual(received, []);
});

test('an option that is undefined leaves its default as it is', async (t) => {
  const { url, received } = await scripted(t, { status: 503, headers: { 'retry-after': '6' } });
  const nothing = { fetch: undefined, timeout: undefined, patience: undefined };
  const refusal = await refusedWith('unnamed', new Client(url, nothing).withTicket('TICKET_x').validate());
  assert.deepEqual([refusal.status, received.length], [503, 1]);
});

test('a duration that no timer can hold is refused when the client is made', () => {
  for (const timeout of [Infinity, Number.NaN, -1, 0, 0.5, 2 ** 31, '50' as never])
    assert.throws(() => new Client('https://host', { timeout }), {
      name: 'TypeError',
      message: `timeout is ${timeout}: give whole milliseconds from 1 to 2147483647`,
    });
  for (const patience of [Infinity, Number.NaN, -1])
    assert.throws(() => new Client('https://host', { patience }), {
      name: 'TypeError',
      message: /^patience/,
    });
  assert.ok(new Client('https://host', { timeout: 2 ** 31 - 1, patience: 0 }));
});

test('a base URL that cannot be one is refused without repeating what is secret in it', () => {
  for (const [base, said] of [
    ['tessera', /is no URL: write https:/],
    ['ftp://host/', /begins with ftp:/],
    ['https://ana:geheim@host/', /holds a user name or a password/],
    ['https://host/?pw=geheim', /leave out/],
  ] as const) {
    assert.throws(
      () => new Client(base),
      (error: Error) =>
        error instanceof TypeError && said.test(error.message) && !/geheim/.test(error.message),
    );
  }
  assert.throws(() => new Client('https://host').withTicket('a\nb'), TypeError);
});
