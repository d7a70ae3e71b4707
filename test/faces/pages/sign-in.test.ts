import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { Visitor, valueOn } from './browse.ts';

const basic = (name: string) => `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`;

test('a browser that opens a page is led to the sign-in, and from there back', async (t) => {
  const visitor = new Visitor(await startTestService(t));
  assert.equal((await visitor.get('/')).headers.get('location'), '/portal');
  assert.equal((await visitor.get('/portal')).headers.get('location'), '/portal/account');
  const led = await visitor.get('/portal/account?a=b');
  assert.equal(led.status, 303);
  const signIn = led.headers.get('location') as string;
  assert.equal(signIn, '/portal/login?return=%2Fportal%2Faccount%3Fa%3Db');
  const page = await (await visitor.get(signIn)).text();
  assert.equal(valueOn(page, 'return'), '/portal/account?a=b');
  const signedIn = await visitor.post('/portal/login', {
    ...{ username: 'admin', password: PASSWORD, return: '/portal/account?a=b' },
  });
  assert.equal(signedIn.status, 303);
  assert.equal(signedIn.headers.get('location'), '/portal/account?a=b');
  assert.match(await (await visitor.get('/portal/account')).text(), /You are signed in as admin/);
  // Signed in already: the sign-in leads on.
  assert.equal((await visitor.get(signIn)).headers.get('location'), '/portal/account?a=b');
});

test('a refused sign-in is the same for a wrong password and an unknown name, and never shows the password', async (t) => {
  const visitor = new Visitor(await startTestService(t));
  const texts = [];
  for (const username of ['admin', 'nemo']) {
    const response = await visitor.post('/portal/login', { username, password: 'wrong <b>' });
    assert.equal(response.status, 403);
    const text = await response.text();
    assert.ok(!text.includes('wrong &lt;b') && !text.includes('wrong <b'));
    assert.equal(valueOn(text, 'username'), username);
    texts.push(text.replaceAll(username, 'NAME'));
  }
  assert.equal(texts[0], texts[1]);
  assert.equal(visitor.cookies.size, 0);
});

test('somebody who has to wait reads for how long, also in German', async (t) => {
  const service = await startTestService(t, { TESSERA_THROTTLE_AFTER: '1' });
  service.stopClock();
  const visitor = new Visitor(service);
  const wrong = { username: 'admin', password: 'wrong' };
  await visitor.post('/portal/login', wrong);
  const waiting = await visitor.post('/portal/login', wrong);
  assert.match(await waiting.text(), /Wait \d+ seconds?\./);
  const own = { 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': 'de-AT' };
  assert.match(await (await visitor.post('/portal/login', wrong, own)).text(), /Warten Sie \d+ Sekunden?\./);
});

test('the cookie opens pages and the gate, and nothing else', async (t) => {
  const service = await startTestService(t);
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  assert.equal((await visitor.get('/portal/account')).status, 200);
  assert.equal((await visitor.get('/gate')).status, 204);
  const paths = ['/api/people/admin', '/api/-default-/public/alfresco/versions/1/people/-me-'];
  for (const path of [...paths, '/api/admin/users', '/oauth2/introspect', '/index'])
    assert.ok([401, 405].includes((await visitor.get(path)).status), path);
  for (const path of ['/oauth2/introspect', '/oauth2/revoke', '/api/admin/users', '/api/actionQueue'])
    assert.ok([401, 404].includes((await visitor.post(path, { token: 'x' })).status), path);
});

test('a page reads the cookie alone', async (t) => {
  const service = await startTestService(t);
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const ticket = visitor.cookies.get('tessera') as string;
  const stranger = new Visitor(service);
  assert.equal((await stranger.get(`/portal/account?alf_ticket=${ticket}`)).status, 303);
  assert.equal((await stranger.get('/portal/account', { Authorization: basic('admin') })).status, 303);
  assert.equal((await stranger.get('/portal/account', { Authorization: `Bearer ${ticket}` })).status, 303);
});

test('signing out ends the ticket, wherever else it is used', async (t) => {
  const service = await startTestService(t);
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const other = new Visitor(service);
  for (const [name, value] of visitor.cookies) other.cookies.set(name, value);
  const out = await visitor.send('/portal/account', '/portal/logout');
  assert.equal(out.headers.get('location'), '/portal/login?done=signed-out');
  assert.equal(visitor.cookies.size, 0);
  assert.equal((await other.get('/portal/account')).status, 303);
  const kinds = (await service.store.read(({ events }) => events.latest({ limit: 9 }))).map(
    ({ kind }) => kind,
  );
  assert.ok(kinds.includes('login') && kinds.includes('logout'), String(kinds));
});

test('each sign-in has a new ticket, and ends the one that the browser brought', async (t) => {
  const service = await startTestService(t);
  await service.addUser('mallory');
  const attacker = new Visitor(service);
  await attacker.signIn('mallory');
  const planted = attacker.cookies.get('tessera') as string;
  const visitor = new Visitor(service);
  visitor.cookies.set('tessera', planted);
  await visitor.signIn('admin');
  assert.notEqual(visitor.cookies.get('tessera'), planted);
  assert.equal((await attacker.get('/portal/account')).status, 303, 'the planted ticket is dead');
  const events = await service.store.read((unit) => unit.events.list({}));
  const [logout, ...others] = events.filter(({ kind }) => kind === 'logout');
  const digest = events.findLast(({ kind }) => kind === 'login')?.digest;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [logout?.user, logout?.actor, logout?.reason],
    ['mallory', 'admin', `by ticket ${digest}`],
  );
});

test('pages are kept by no cache, and run nothing but the own script', async (t) => {
  const visitor = new Visitor(await startTestService(t));
  await visitor.signIn('admin');
  const { headers } = await visitor.get('/portal/account');
  assert.match(headers.get('cache-control') as string, /no-store/);
  const policy = headers.get('content-security-policy') as string;
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.split(';').includes(rule), rule);
  assert.equal(headers.get('referrer-policy'), 'same-origin');
});

test('pages of other origins cannot read a page, not even those that are allowed elsewhere', async (t) => {
  const origin = 'https://portal.example.org';
  const visitor = new Visitor(await startTestService(t, { TESSERA_ALLOWED_ORIGINS: origin }));
  await visitor.signIn('admin');
  for (const path of ['/portal/account', '/%70ortal/account']) {
    const { status, headers } = await visitor.get(path, { Origin: origin });
    assert.equal(status, 200, path);
    assert.equal(headers.get('access-control-allow-origin'), null, path);
  }
  const { headers } = await visitor.get('/api/server', { Origin: origin });
  assert.equal(headers.get('access-control-allow-origin'), origin);
});

test('a sign-in leads to another host only if that is set, and its policy lets the form go there', async (t) => {
  const visitor = new Visitor(await startTestService(t, { TESSERA_RETURN_HOSTS: 'wiki.example.org' }));
  const SIGN_IN = { username: 'admin', password: PASSWORD };
  const wiki = 'https://wiki.example.org/page';
  const policyOf = (page: Response) => page.headers.get('content-security-policy') as string;
  const shown = await visitor.get(`/portal/login?return=${encodeURIComponent(wiki)}`);
  assert.match(policyOf(shown), /form-action 'self' https:\/\/wiki\.example\.org$/);
  // The form of a refused sign-in leads there too.
  const refused = await visitor.post('/portal/login', { ...SIGN_IN, password: 'wrong', return: wiki });
  assert.match(policyOf(refused), /form-action 'self' https:\/\/wiki\.example\.org$/);
  const signedIn = await visitor.post('/portal/login', { ...SIGN_IN, return: wiki });
  assert.equal(signedIn.headers.get('location'), wiki);
  const evil = await visitor.post('/portal/login', { ...SIGN_IN, return: 'https://evil.example/' });
  assert.equal(evil.headers.get('location'), '/portal');
});

test('TESSERA_PORTAL=false serves no page', async (t) => {
  const visitor = new Visitor(await startTestService(t, { TESSERA_PORTAL: 'false' }));
  for (const path of ['/', '/portal', '/portal/login', '/portal/assets/style.css'])
    assert.equal((await visitor.get(path)).status, 404, path);
});

test('the sign-in page says that the reader has signed out, or that the sign-in has ended elsewhere', async (t) => {
  const service = await startTestService(t);
  const visitor = new Visitor(service);
  await visitor.signIn('admin');
  const out = await visitor.send('/portal/account', '/portal/logout');
  const page = await (await visitor.get(out.headers.get('location') as string)).text();
  assert.match(page, /You are signed out/);
  assert.doesNotMatch(page, /has ended/);

  await visitor.signIn('admin');
  await service.store.write((unit) => unit.tickets.raiseServerGeneration());
  const led = await visitor.get('/portal/account');
  const again = await (await visitor.get(led.headers.get('location') as string)).text();
  assert.match(again, /Your sign-in has ended/);
  assert.doesNotMatch(again, /You are signed out/);
  assert.doesNotMatch(await (await new Visitor(service).get('/portal/login')).text(), /has ended|signed out/);
});
