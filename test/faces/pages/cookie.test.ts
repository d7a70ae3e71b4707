import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { FROM_OWN_PAGE, Visitor } from './browse.ts';

const PROXY = { TESSERA_TRUSTED_PROXIES: '127.0.0.1' };
const SIGN_IN = { username: 'admin', password: PASSWORD };
const OVER_TLS = {
  ...FROM_OWN_PAGE,
  'X-Forwarded-For': '192.0.2.7',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'tessera.example.org',
};

/** The cookie of the ticket that an answer sets. */
const setCookie = (response: Response) =>
  response.headers
    .getSetCookie()
    .filter((cookie) => !cookie.includes('-proof='))
    .join('\n')
    .replace(/TICKET_\w+/, 'T');

test('over https the cookie belongs to one host, or to a domain that is set', async (t) => {
  const alone = new Visitor(await startTestService(t, PROXY));
  assert.equal(
    setCookie(await alone.post('/portal/login', SIGN_IN, OVER_TLS)),
    '__Host-tessera=T; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  const shared = new Visitor(await startTestService(t, { ...PROXY, TESSERA_COOKIE_DOMAIN: 'example.org' }));
  assert.equal(
    setCookie(await shared.post('/portal/login', SIGN_IN, OVER_TLS)),
    '__Secure-tessera=T; Path=/; HttpOnly; SameSite=Lax; Secure; Domain=example.org',
  );
  assert.equal((await shared.get('/portal/account', OVER_TLS)).status, 200);
});

test('over plain http a browser keeps a ticket on loopback hosts only, and the page says what to do', async (t) => {
  const own = new Visitor(await startTestService(t));
  assert.equal(
    setCookie(await own.post('/portal/login', SIGN_IN)),
    'tessera=T; Path=/; HttpOnly; SameSite=Lax',
  );
  const far = new Visitor(await startTestService(t, PROXY));
  const { 'X-Forwarded-Proto': _, ...plain } = OVER_TLS;
  for (const headers of [plain, { ...plain, 'X-Forwarded-Proto': 'http' }]) {
    const refused = await far.post('/portal/login', SIGN_IN, headers);
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /https.*X-Forwarded-Proto.*TESSERA_TRUSTED_PROXIES/s);
    assert.equal(setCookie(refused), '');
  }
});

test('a peer that is no trusted proxy cannot claim https', async (t) => {
  const visitor = new Visitor(await startTestService(t));
  assert.match(setCookie(await visitor.post('/portal/login', SIGN_IN, OVER_TLS)), /^tessera=/);
});

test('two different tickets under one name count as none: another host of the domain may have set one', async (t) => {
  const service = await startTestService(t, PROXY);
  const visitor = new Visitor(service);
  await visitor.post('/portal/login', SIGN_IN, OVER_TLS);
  const ticket = visitor.cookies.get('__Host-tessera');
  const bare = new Visitor(service);
  const with_ = (cookie: string) => bare.get('/portal/account', { ...OVER_TLS, cookie });
  assert.equal((await with_(`__Host-tessera=${ticket}; __Host-tessera=${ticket}`)).status, 200);
  assert.equal((await with_(`a=b; __Host-tessera=${ticket}`)).status, 200);
  assert.equal(
    (await with_(`__Host-tessera=${ticket}; __Host-tessera=TICKET_${'0'.repeat(40)}`)).status,
    303,
  );
  assert.equal((await with_(`tessera=${ticket}`)).status, 303, 'over https only the protected name counts');
});

test('a form counts only from a page of this host, and with the token of its ticket', async (t) => {
  const service = await startTestService(t);
  await service.addUser('mia');
  const visitor = new Visitor(service);
  await visitor.signIn('mia');
  const formToken = await visitor.formToken();
  const other = new Visitor(service);
  await other.signIn('mia');
  const { host } = new URL(service.url);
  const refused: [string, Record<string, string>, Record<string, string>][] = [
    ['another site, with the token', { formToken }, { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the site', { formToken }, { 'Sec-Fetch-Site': 'same-site' }],
    ['typed in', { formToken }, { 'Sec-Fetch-Site': 'none' }],
    ['another origin', { formToken }, { Origin: 'https://evil.example' }],
    ['an opaque origin', { formToken }, { Origin: 'null' }],
    ['no evidence', { formToken }, {}],
    ['no token', {}, FROM_OWN_PAGE],
    ['an empty token', { formToken: '' }, FROM_OWN_PAGE],
    ['a made-up token', { formToken: 'x'.repeat(32) }, FROM_OWN_PAGE],
    ['the token of another ticket', { formToken: await other.formToken() }, FROM_OWN_PAGE],
  ];
  for (const [what, fields, headers] of refused) {
    const { status } = await visitor.post('/portal/logout', fields, headers);
    assert.ok(status === 403 || status === 400, `${what}: ${status}`);
    assert.equal((await visitor.get('/portal/account')).status, 200, what);
  }
  const accepted = await visitor.post('/portal/logout', { formToken }, { Origin: `http://${host}` });
  assert.equal(accepted.status, 303);
});

test('a sign-in form of another site is refused: it could sign a visitor in as somebody else', async (t) => {
  const visitor = new Visitor(await startTestService(t));
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, {}]) {
    const refused = await visitor.post('/portal/login', SIGN_IN, headers);
    assert.equal(refused.status, 403);
    assert.equal(visitor.cookies.size, 0);
  }
});
