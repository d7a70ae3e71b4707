import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Ticket } from '../../../src/core/domain/ticket.ts';
import { digestOf } from '../../../src/core/gate/tickets.ts';
import { exchange } from '../../core/http/scenario.ts';
import { Visitor } from '../../faces/pages/browse.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { addressIn } from '../oidc/pages/provider-visit.ts';

const PORTAL = 'https://login.example.com';
const APP = 'https://app.example.org';
const NAVIGATION: Record<string, string> = { 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' };

/** How a proxy passes a request to this host on. */
const at = (origin: string) => ({
  'X-Forwarded-For': '192.0.2.7',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': new URL(origin).host,
});

const ANNA = { username: 'anna', password: 'correct-horse-battery' };

/** A browser: it keeps the cookies of each host apart. */
class Browser {
  readonly portal: Visitor;
  readonly app: Visitor;
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
    [this.portal, this.app] = [new Visitor(service), new Visitor(service)];
  }

  /** Asks for an address, and returns the answer and where it leads. */
  async visit(address: string) {
    const { origin, pathname, search } = new URL(address);
    const visitor = origin === PORTAL ? this.portal : this.app;
    const response = await visitor.get(pathname + search, at(origin));
    const text = await response.text();
    const to = response.headers.get('location') ?? (/http-equiv="refresh"/.test(text) ? addressIn(text) : '');
    return { response, text, to: to && new URL(to, origin).href };
  }

  async signIn(fields: Record<string, string> = ANNA): Promise<void> {
    const headers = { ...at(PORTAL), 'Sec-Fetch-Site': 'same-origin' };
    assert.equal((await this.portal.post('/portal/login', fields, headers)).status, 303);
  }

  /** Goes from the app to the portal and back, up to the address with the code. */
  async withCode(path = '/a?b=c'): Promise<string> {
    const begun = await this.visit(`${APP}/portal/hand-over?return=${encodeURIComponent(path)}`);
    assert.equal(new URL(begun.to).origin, PORTAL);
    return (await this.visit(begun.to)).to;
  }

  /** The answer of the gate about a request to the app. */
  async ask(path = '/a?b=c') {
    const cookie = [...this.app.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      ...NAVIGATION,
      ...at(APP),
      'X-Forwarded-Method': 'GET',
      'X-Forwarded-Uri': path,
      cookie,
    };
    return exchange(this.#service.url, 'GET /gate', { headers });
  }
}

/** Sends a form of a page of this host. */
async function send(visitor: Visitor, origin: string, path: string, fields: Record<string, string> = {}) {
  const page = await (await visitor.get('/portal/account', at(origin))).text();
  const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(page) ?? [];
  const headers = { ...at(origin), 'Sec-Fetch-Site': 'same-origin' };
  assert.equal((await visitor.post(path, { ...fields, formToken }, headers)).status, 303);
}

async function started(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, {
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
    TESSERA_HOSTS: '127.0.0.1,login.example.com,app.example.org,other.example.org',
    TESSERA_GATE_URI_HEADER: 'X-Forwarded-Uri',
    TESSERA_PORTAL_URL: PORTAL,
    TESSERA_COOKIE_DOMAIN: 'example.com',
    TESSERA_HAND_OVER_HOSTS: 'app.example.org',
    ...env,
  });
  await service.addUser('anna');
  return service;
}

test('a browser without a ticket goes to the portal, signs in there, and comes back with a ticket of its own', async (t) => {
  const service = await started(t);
  const browser = new Browser(service);
  const refused = await browser.ask();
  assert.deepEqual(
    [refused.status, refused.headers.location],
    [302, `${APP}/portal/hand-over?return=%2Fa%3Fb%3Dc`],
  );
  const begun = await browser.visit(refused.headers.location as string);
  const atSignIn = await browser.visit(begun.to);
  assert.match(
    atSignIn.to,
    /^https:\/\/login\.example\.com\/portal\/login\?return=%2Fportal%2Fhand-over%2Fto/,
  );
  await browser.signIn();
  const { to } = await browser.visit(begun.to);
  assert.equal(new URL(to).origin, APP);
  assert.doesNotMatch(to, /TICKET/);
  const done = await browser.visit(to);
  assert.equal(done.to, `${APP}/a?b=c`);
  const [set] = done.response.headers.getSetCookie();
  assert.match(set ?? '', /^__Host-tessera=TICKET_\w+; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  assert.deepEqual([...browser.app.cookies.keys()], ['__Host-tessera'], 'nothing is left of the way');
  assert.notEqual(browser.app.cookies.get('__Host-tessera'), browser.portal.cookies.get('__Secure-tessera'));
  const passed = await browser.ask();
  assert.deepEqual([passed.status, passed.headers['x-tessera-user']], [204, 'anna']);
  const again = await browser.visit(`${APP}/portal/hand-over?return=/a&again=yes&needs=fresh`);
  const { pathname, searchParams } = new URL(again.to);
  assert.deepEqual(
    [pathname, searchParams.get('again'), searchParams.get('needs')],
    ['/portal/login', 'yes', 'fresh'],
  );
  assert.match(searchParams.get('return') ?? '', /^\/portal\/hand-over\/to\?host=app/);
  const account = await (await browser.portal.get('/portal/account', at(PORTAL))).text();
  assert.match(account, /You are signed in as anna/);
});

test('a code is good once, in the browser that asked, on its host, and for half a minute', async (t) => {
  const service = await started(t, { TESSERA_HAND_OVER_HOSTS: 'app.example.org,other.example.org' });
  const browser = new Browser(service);
  await browser.signIn();
  const refusedAt = async (address: string, by = browser) => {
    const { response } = await by.visit(address);
    assert.equal(by.app.cookies.has('__Host-tessera'), false);
    return response.status;
  };
  const stolen = await browser.withCode();
  const thief = new Browser(service);
  assert.equal(await refusedAt(stolen, thief), 403, 'a browser that did not ask');
  assert.equal(await refusedAt(stolen), 403, 'it was used up there');
  const mallory = new Browser(service);
  await mallory.visit(`${APP}/portal/hand-over`);
  assert.equal(await refusedAt(await browser.withCode(), mallory), 403, 'a browser that asked for itself');
  const elsewhere = await browser.withCode();
  assert.equal(await refusedAt(elsewhere.replace('app.', 'other.')), 403, 'another host');
  const forged = await browser.withCode();
  assert.equal(await refusedAt(forged.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))), 403, 'forged');
  const late = await browser.withCode();
  service.shiftClock(31_000);
  assert.equal(await refusedAt(late), 403, 'half a minute later');
  const right = await browser.withCode();
  const cookies = new Map(browser.app.cookies);
  assert.equal((await browser.visit(right)).response.status, 303);
  browser.app.cookies.clear();
  for (const [name, value] of cookies) browser.app.cookies.set(name, value);
  assert.equal(await refusedAt(right), 403, 'a second time');
});

test('two tabs that go to the portal at the same time both come back', async (t) => {
  const service = await started(t);
  const browser = new Browser(service);
  await browser.signIn();
  const [one, two] = [await browser.withCode('/one'), await browser.withCode('/two')];
  assert.deepEqual(
    [(await browser.visit(two)).to, (await browser.visit(one)).to],
    [`${APP}/two`, `${APP}/one`],
  );
  assert.equal((await browser.ask()).status, 204);
  assert.deepEqual([...browser.app.cookies.keys()], ['__Host-tessera']);
  const events = await service.store.read((unit) => unit.events.list({}));
  const { reason } = events.find(({ kind }) => kind === 'logout') ?? assert.fail();
  assert.match(reason ?? '', /^by ticket /, 'the ticket of the first tab has ended');
});

test('only hosts that are named get a ticket, and the way leads to nowhere else', async (t) => {
  const service = await started(t);
  const browser = new Browser(service);
  await browser.signIn();
  const statusOf = async (address: string) => (await browser.visit(address)).response.status;
  assert.equal(await statusOf('https://other.example.org/portal/hand-over'), 404);
  assert.equal(await statusOf(`${PORTAL}/portal/hand-over`), 404);
  const begun = await browser.visit(`${APP}/portal/hand-over?return=https://evil.example.net/`);
  const to = await browser.visit(begun.to);
  assert.equal((await browser.visit(to.to)).to, `${APP}/portal`, 'not to another host');
  assert.equal(await statusOf(begun.to.replace('app.example.org', 'evil.example.net')), 404);
  assert.equal(await statusOf(begun.to.replace(PORTAL, APP)), 404, 'only the portal hands over');
  await assert.rejects(started(t, { TESSERA_PORTAL_URL: '' }), /TESSERA_PORTAL_URL/);
  for (const host of ['wiki.example.com', 'example.com', 'wiki.example.com:8443', 'login.example.com:8443'])
    await assert.rejects(
      started(t, { TESSERA_HAND_OVER_HOSTS: `app.example.org,${host}` }),
      new RegExp(`TESSERA_HAND_OVER_HOSTS: .* at ${host} already`),
    );
});

test('a hand-over ends no ticket that its own ends with', async (t) => {
  const service = await started(t, { TESSERA_TICKETS_PER_USER: '2' });
  const browser = new Browser(service);
  const handOver = async () => (await browser.visit(await browser.withCode())).response.status;
  await browser.signIn();
  const other = new Browser(service);
  await other.signIn();
  assert.equal(await handOver(), 303);
  assert.equal((await browser.ask()).status, 204);
  assert.equal(
    (await other.portal.get('/portal/account', at(PORTAL))).status,
    303,
    'the other one made room',
  );
  browser.app.cookies.set('__Host-tessera', browser.portal.cookies.get('__Secure-tessera') as string);
  assert.equal(await handOver(), 303);
  assert.equal((await browser.ask()).status, 204, 'its cookie was that of the portal');
  const alone = new Browser(await started(t, { TESSERA_TICKETS_PER_USER: '1' }));
  await alone.signIn();
  assert.equal((await alone.visit(await alone.withCode())).response.status, 403, 'there is no room');
  assert.equal((await alone.portal.get('/portal/account', at(PORTAL))).status, 200);
});

test('the ticket of the other host ends with that of the portal, and a sign-out at either ends both', async (t) => {
  const service = await started(t);
  const browser = new Browser(service);
  const handOver = async () => {
    await browser.signIn();
    await browser.visit(await browser.withCode());
    assert.equal((await browser.ask()).status, 204);
  };
  const signOut = (visitor: Visitor, origin: string) => send(visitor, origin, '/portal/logout');
  const atPortal = async () => (await browser.portal.get('/portal/account', at(PORTAL))).status;
  await handOver();
  await signOut(browser.portal, PORTAL);
  assert.equal((await browser.ask()).status, 302, 'signed out at the portal');
  const told = async (wanted: string) =>
    (await service.store.read(({ events }) => events.list({ user: 'anna' })))
      .filter(({ kind }) => kind === wanted)
      .map(({ digest, reason, from }) => [digest, reason, from]);
  const [[first] = [], [second] = []] = await told('login');
  const [none, from] = [undefined, '192.0.2.7'];
  const atFirst = [
    [first, none, from],
    [second, `by ticket ${first}`, from],
  ];
  assert.deepEqual([await told('login'), await told('logout')], [atFirst, atFirst]);
  await handOver();
  const [, , [third] = [], [fourth] = []] = await told('login');
  await signOut(browser.app, APP);
  assert.equal(await atPortal(), 303, 'signed out at the other host');
  assert.deepEqual((await told('logout')).slice(2), [
    [fourth, none, from],
    [third, `by ticket ${fourth}`, from],
  ]);
  await handOver();
  await service.store.write(async ({ users }) => {
    const { id, generation } = (await users.findByKey('anna')) ?? assert.fail();
    await users.change(id, { generation: generation + 1 });
  });
  assert.equal((await browser.ask()).status, 302, 'all tickets of the user ended');
});

test('hand-overs of a user without a password are counted in the row of its logins', async (t) => {
  const service = await started(t);
  service.stopClock();
  await service.addUser('open', { password: undefined });
  const browser = new Browser(service);
  for (let n = 0; n < 2; n += 1) {
    await browser.signIn({ username: 'open' });
    assert.equal((await browser.visit(await browser.withCode())).response.status, 303);
  }
  const rows = () => service.store.read(({ events }) => events.list({ user: 'open' }));
  await until('four are counted', async () => (await rows()).some(({ count }) => count === 4));
  assert.deepEqual(
    (await rows()).map(({ kind, reason }) => [kind, reason]),
    [['login', undefined]],
  );
});

test('a change at the other host that ends the other tickets keeps the one that it came from', async (t) => {
  const service = await started(t);
  const [browser, other] = [new Browser(service), new Browser(service)];
  await browser.signIn();
  await browser.visit(await browser.withCode());
  const passwords = { oldPassword: 'correct-horse-battery', newPassword: 'another-horse-battery' };
  const atPortal = async ({ portal }: Browser) => (await portal.get('/portal/account', at(PORTAL))).status;
  for (const [path, fields] of [
    ['/portal/account/tickets/end-others', {}],
    ['/portal/account/password', passwords],
  ] as const) {
    await other.signIn();
    await send(browser.app, APP, path, fields);
    assert.deepEqual([await atPortal(browser), await atPortal(other)], [200, 303], path);
    assert.equal((await browser.ask()).status, 204, path);
  }
});

test('both tickets are of one age, and a use of one is a use of both', async (t) => {
  const service = await started(t, { TESSERA_TICKET_IDLE: 'PT1H', TESSERA_TICKET_AGE: 'PT140M' });
  service.stopClock();
  const browser = new Browser(service);
  const pass = (minutes: number) => service.shiftClock(minutes * 60_000);
  await browser.signIn();
  pass(30);
  await browser.visit(await browser.withCode());
  const first = digestOf(browser.portal.cookies.get('__Secure-tessera') as Ticket);
  const usedAt = async () =>
    (await service.store.read(({ tickets }) => tickets.find(first)))?.ticket.usedAt ?? 0;
  await until('the way back is noted as a use', async () => (await usedAt()) > 0);
  const before = await usedAt();
  pass(50);
  assert.equal((await browser.ask()).status, 204);
  await until('the use is written', async () => (await usedAt()) > before);
  const between = await usedAt();
  pass(50);
  assert.equal((await browser.ask()).status, 204);
  await until('the next use is written', async () => (await usedAt()) > between);
  assert.equal((await browser.portal.get('/portal/account', at(PORTAL))).status, 200);
  pass(15);
  // Neither has waited for an hour: only the age ends them.
  assert.equal((await browser.ask()).status, 302, 'it is as old as the sign-in');
});
