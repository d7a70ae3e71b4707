import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBrowser, whyNoBrowser } from '../service/browser.ts';
import { startCaddy, whyNoCaddy } from '../service/caddy.ts';
import { certificateFiles } from '../service/certified.ts';
import { freePort } from '../service/free-port.ts';
import { startNginx, whyNoNginx } from '../service/nginx.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../service/start.ts';
import { configurationOn } from './configuration.ts';

/** The wiki, and the headers of the requests that reach it. */
async function startWiki(t: TestContext): Promise<{ port: number; reached: IncomingHttpHeaders[] }> {
  const reached: IncomingHttpHeaders[] = [];
  const wiki = createServer((request, response) => {
    if (request.url !== '/favicon.ico') reached.push(request.headers);
    response.setHeader('Content-Type', 'text/html').end('<h1>The wiki</h1>');
  }).listen(0, '127.0.0.1');
  await once(wiki, 'listening');
  t.after(() => {
    wiki.close();
    wiki.closeAllConnections();
  });
  return { port: (wiki.address() as AddressInfo).port, reached };
}

interface Hosts extends Readonly<Record<'tickets' | 'wiki' | 'app', string>> {
  /** Where Tessera, the wiki and the application listen. */
  readonly service: string;
  readonly wikiAt: string;
  readonly appAt: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
}

/** A proxy as the page sets it up. */
interface PageProxy {
  readonly skip: string | false;
  readonly uriHeader: string;
  start(t: TestContext, hosts: Hosts): Promise<string>;
}

const PAGE = 'several-hosts.md';

const CADDY: PageProxy = {
  skip: whyNoCaddy() ?? whyNoBrowser() ?? false,
  uriHeader: 'X-Forwarded-Uri',
  start(t, { tickets, wiki, app, service, wikiAt, appAt, port, cert, key }) {
    const sites = configurationOn(PAGE, 'caddyfile', {
      'tickets.example.org {': `${tickets} {\n\tTLS`,
      'wiki.example.org {': `${wiki} {\n\tTLS`,
      'reverse_proxy 127.0.0.1:8080': `reverse_proxy ${service}`,
      'forward_auth 127.0.0.1:8080': `forward_auth ${service}`,
      '127.0.0.1:3000': wikiAt,
    });
    const inPlace = {
      'app.example.net {': `${app} {\n\tTLS`,
      'reverse_proxy /portal/hand-over 127.0.0.1:8080': `reverse_proxy /portal/hand-over ${service}`,
      'forward_auth 127.0.0.1:8080': `forward_auth ${service}`,
      '127.0.0.1:3001': appAt,
    };
    const elsewhere = configurationOn(PAGE, 'caddyfile', inPlace, '## A host of another domain');
    return startCaddy(t, (sites + elsewhere).replaceAll('TLS', `tls ${cert} ${key}`), port);
  },
};

const NGINX: PageProxy = {
  skip: whyNoNginx() ?? whyNoBrowser() ?? false,
  uriHeader: 'X-Original-URL',
  start(t, { tickets, wiki, app, service, wikiAt, appAt, port, cert, key }) {
    const inPlace = { '/etc/nginx/example.pem': cert, '/etc/nginx/example.key': key };
    const http = Object.entries({
      'wiki\\.example\\.org': new URL(wiki).hostname.replaceAll('.', '\\.'),
      'app\\.example\\.net': new URL(app).hostname.replaceAll('.', '\\.'),
      'tickets.example.org': new URL(tickets).hostname,
      'wiki.example.org': new URL(wiki).hostname,
      'app.example.net': new URL(app).hostname,
      '127.0.0.1:8080': service,
      '127.0.0.1:3000': wikiAt,
      '127.0.0.1:3001': appAt,
      'listen 443': `listen ${port}`,
    }).reduce(
      (text, [written, here]) => text.replaceAll(written, here),
      configurationOn(PAGE, 'nginx', inPlace),
    );
    return startNginx(t, http, port);
  },
};

const RULES = [
  { path: '/closed', allow: 'none' },
  { path: '/read', methods: ['POST'], allow: 'none' },
  { host: 'wiki.example.localhost', path: '/open', allow: 'public' },
  { allow: 'signed-in' },
];

/** The hosts as the page sets them up, below domains that every browser finds on its own machine. */
async function startHosts(t: TestContext, { uriHeader, start }: PageProxy) {
  const port = await freePort();
  const [tickets, wiki, app] = ['tickets.example', 'wiki.example', 'app.elsewhere'].map(
    (name) => `https://${name}.localhost:${port}`,
  ) as [string, string, string];
  const rules = join(await temporaryFolder(t), 'rules.json');
  writeFileSync(rules, JSON.stringify({ rules: RULES }));
  const service = await startTestService(t, {
    TESSERA_GATE_RULES: rules,
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
    TESSERA_GATE_URI_HEADER: uriHeader,
    TESSERA_GATE_DETAILS: 'groups',
    TESSERA_HOSTS: 'tickets.example.localhost,app.elsewhere.localhost',
    TESSERA_PORTAL_URL: tickets,
    TESSERA_COOKIE_DOMAIN: 'example.localhost',
    TESSERA_RETURN_HOSTS: `wiki.example.localhost:${port}`,
    TESSERA_HAND_OVER_HOSTS: new URL(app).host,
  });
  const [inWiki, inApp] = [await startWiki(t), await startWiki(t)];
  const files = certificateFiles(t, 'DNS:*.example.localhost,DNS:*.elsewhere.localhost', 'tickets');
  const at = {
    service: new URL(service.url).host,
    wikiAt: `127.0.0.1:${inWiki.port}`,
    appAt: `127.0.0.1:${inApp.port}`,
  };
  await start(t, { tickets, wiki, app, ...at, ...files, port });
  return { tickets, wiki, app, reached: inWiki.reached, reachedApp: inApp.reached };
}

/** What is answered to a request for this address whose field `Host` names another one. */
function askAsHost(address: string, host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: hostname, rejectUnauthorized: false };
    request({ ...options, path: address, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('people sign in at one host and open another, which never sees their ticket', {
  skip: CADDY.skip,
}, async (t) => {
  const { tickets, wiki, reached } = await startHosts(t, CADDY);
  const { page, context } = await openBrowser(t, { anyCertificate: true });
  await page.goto(`${wiki}/a?b=c&d=%20e`);
  assert.equal(new URL(page.url()).origin, tickets);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  // The policy of the page has to let the form lead to the other host, after a refusal too.
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${wiki}/a?b=c&d=%20e`);
  assert.equal(await page.getByRole('heading').innerText(), 'The wiki');
  assert.equal(reached.at(-1)?.['x-tessera-user'], 'admin');
  assert.match(String(reached.at(-1)?.['x-tessera-groups']), /ALFRESCO_ADMINISTRATORS/);
  assert.doesNotMatch(JSON.stringify(reached), /TICKET_/);
  const cookie = (await context.cookies()).find(({ name }) => name.endsWith('-tessera'));
  assert.deepEqual(
    [cookie?.name, cookie?.domain, cookie?.secure, cookie?.httpOnly, cookie?.sameSite],
    ['__Secure-tessera', '.example.localhost', true, true, 'Lax'],
  );
});

for (const [name, proxy] of Object.entries({ Caddy: CADDY, nginx: NGINX }))
  test(`with ${name} a sign-out at one host holds at the others, and a script gets 401 in place of the sign-in page`, {
    skip: proxy.skip,
  }, async (t) => {
    const { tickets, wiki, app, reached, reachedApp } = await startHosts(t, proxy);
    await askAsHost(`${app}/open`, new URL(wiki).host);
    assert.deepEqual(reachedApp, [], 'what is open at one host is not open at another');
    reached.length = 0;
    const { page, context, complaints } = await openBrowser(t, { anyCertificate: true });
    await page.goto(`${tickets}/portal/login`);
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/portal/account');
    const other = await context.newPage();
    const names = ['User', 'Groups', 'Email', 'Name', 'Ticket-Expires'];
    await other.setExtraHTTPHeaders(Object.fromEntries(names.map((name) => [`X-Tessera-${name}`, 'forged'])));
    await other.goto(`${wiki}/closed`);
    assert.match(await other.getByRole('main').innerText(), /closed/);
    assert.deepEqual(reached, []);
    await context.addCookies([{ name: 'tessera', value: 'x', url: wiki }]);
    await other.goto(`${wiki}/`);
    assert.equal(await other.getByRole('heading').innerText(), 'The wiki');
    const waiting = ['tessera-hand-over-1', '__Host-tessera-hand-over-2'];
    await context.addCookies(waiting.map((name) => ({ name, value: 'x', url: app, secure: true })));
    const posted = await other.evaluate(() =>
      fetch('/read', { method: 'POST' }).then(({ status }) => status),
    );
    assert.equal(posted, 403);
    assert.equal(complaints.pop(), `${wiki}/read: 403`);
    const far = await context.newPage();
    await far.goto(`${app}/a?b=c`);
    await far.waitForURL(`${app}/a?b=c`);
    assert.equal(await far.getByRole('heading').innerText(), 'The wiki', 'a host of another domain');
    assert.equal(reachedApp.at(-1)?.['x-tessera-user'], 'admin');
    assert.doesNotMatch(
      JSON.stringify([reached, reachedApp]),
      /forged|TICKET_|tessera(?:-hand-over[^=;]*)?=/,
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/portal/login*');
    await far.goto(`${app}/a`);
    await far.waitForURL(`${tickets}/portal/login*`);
    const asked = await other.evaluate(() => fetch('/data').then(({ status }) => status));
    assert.equal(asked, 401);
    assert.deepEqual(complaints.splice(0), [`${wiki}/data: 401`]);
    await other.reload();
    assert.equal(new URL(other.url()).origin, tickets);
  });
