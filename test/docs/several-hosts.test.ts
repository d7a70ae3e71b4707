import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openBrowser, whyNoBrowser } from '../service/browser.ts';
import { startCaddy, whyNoCaddy } from '../service/caddy.ts';
import { certificateFiles } from '../service/certified.ts';
import { freePort } from '../service/free-port.ts';
import { PASSWORD, startTestService } from '../service/start.ts';
import { configurationOn } from './configuration.ts';

const skip = whyNoCaddy() ?? whyNoBrowser() ?? false;

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

/** The two hosts as the page sets them up, below a domain that every browser finds on its own machine. */
async function startHosts(t: TestContext) {
  const port = await freePort();
  const tickets = `https://tickets.example.localhost:${port}`;
  const wiki = `https://wiki.example.localhost:${port}`;
  const app = `https://app.elsewhere.localhost:${port}`;
  const service = await startTestService(t, {
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
    TESSERA_GATE_URI_HEADER: 'X-Forwarded-Uri',
    TESSERA_GATE_DETAILS: 'groups',
    TESSERA_HOSTS: 'tickets.example.localhost,app.elsewhere.localhost',
    TESSERA_PORTAL_URL: tickets,
    TESSERA_COOKIE_DOMAIN: 'example.localhost',
    TESSERA_RETURN_HOSTS: `wiki.example.localhost:${port}`,
    TESSERA_HAND_OVER_HOSTS: new URL(app).host,
  });
  const { port: wikiPort, reached } = await startWiki(t);
  const { host } = new URL(service.url);
  const sites = configurationOn('several-hosts.md', 'caddyfile', {
    'tickets.example.org {': `${tickets} {\n\tTLS`,
    'wiki.example.org {': `${wiki} {\n\tTLS`,
    'reverse_proxy 127.0.0.1:8080': `reverse_proxy ${host}`,
    'forward_auth 127.0.0.1:8080': `forward_auth ${host}`,
    '127.0.0.1:3000': `127.0.0.1:${wikiPort}`,
  });
  const inPlace = {
    'app.example.net {': `${app} {\n\tTLS`,
    'reverse_proxy /portal/hand-over 127.0.0.1:8080': `reverse_proxy /portal/hand-over ${host}`,
    'forward_auth 127.0.0.1:8080': `forward_auth ${host}`,
    '127.0.0.1:3001': `127.0.0.1:${wikiPort}`,
  };
  const elsewhere = configurationOn('several-hosts.md', 'caddyfile', inPlace, '## A host of another domain');
  const names = 'DNS:*.example.localhost,DNS:*.elsewhere.localhost';
  const { cert, key } = certificateFiles(t, names, 'tickets');
  await startCaddy(t, (sites + elsewhere).replaceAll('TLS', `tls ${cert} ${key}`), port);
  return { service, tickets, wiki, app, reached };
}

test('people sign in at one host and open another, which never sees their ticket', { skip }, async (t) => {
  const { tickets, wiki, reached } = await startHosts(t);
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

test('a sign-out at one host holds at the others, and a script of a page gets 401 in place of the sign-in page', {
  skip,
}, async (t) => {
  const { tickets, wiki, app, reached } = await startHosts(t);
  const { page, context, complaints } = await openBrowser(t, { anyCertificate: true });
  await page.goto(`${tickets}/portal/login`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/portal/account');
  const other = await context.newPage();
  await other.goto(`${wiki}/`);
  assert.equal(await other.getByRole('heading').innerText(), 'The wiki');
  const far = await context.newPage();
  await far.goto(`${app}/a?b=c`);
  await far.waitForURL(`${app}/a?b=c`);
  assert.equal(await far.getByRole('heading').innerText(), 'The wiki', 'a host of another domain');
  assert.equal(reached.at(-1)?.['x-tessera-user'], 'admin');
  assert.doesNotMatch(JSON.stringify(reached), /TICKET_|tessera(?:-hand-over[^=;]*)?=/);
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
