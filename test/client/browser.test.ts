import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openBrowser, whyNoBrowser } from '../service/browser.ts';
import { PASSWORD, startTestService } from '../service/start.ts';

const CLIENT = new URL('../../src/client/', import.meta.url);

/** The script of the page. It writes its results into the body. */
const SCRIPT = `
import { Client } from './client.ts';
const said = [];
const refused = (error) => said.push(error.name, error.code, error.retryAfter);
try {
  const { base, password } = Object.fromEntries(new URLSearchParams(location.search));
  const client = new Client(base);
  await client.login({ username: 'admin', password: 'wrong' }).catch(refused);
  await client.login({ username: 'admin', password: 'wrong' }).catch(refused);
  const mine = client.withTicket((await client.login({ username: 'ana', password })).ticket);
  said.push((await mine.validate()).ticket.slice(0, 7));
  said.push((await mine.actionDefinitions({ path: 'Company Home' }, { language: 'de' })).length > 0);
  await mine.logout();
  await mine.validate().catch(refused);
  await new Client(new URL('/moved', location.href)).withTicket('TICKET_x').validate().catch(refused);
} catch (error) {
  said.push(String(error));
}
document.body.textContent = JSON.stringify(said);
`;

/** Serves a page that uses the client, and the client without its types. */
async function pageServer(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') {
      const page = '<!doctype html><body>nothing yet<script type="module" src="/page.js"></script>';
      return response.setHeader('content-type', 'text/html').end(page);
    }
    if (pathname.startsWith('/moved/')) return response.writeHead(301, { location: '/' }).end();
    response.setHeader('content-type', 'text/javascript');
    if (pathname === '/page.js') return response.end(SCRIPT);
    const source = new URL(`.${pathname}`, CLIENT);
    if (!existsSync(source)) return response.writeHead(404).end();
    response.end(stripTypeScriptTypes(readFileSync(source, 'utf8')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

test('the client works in a browser, on a page of another site that is allowed', async (t) => {
  const why = whyNoBrowser();
  if (why !== undefined) return t.skip(why);
  const page = await pageServer(t);
  const env = { TESSERA_ALLOWED_ORIGINS: page, TESSERA_THROTTLE_AFTER: '1', TESSERA_LOCKOUT_THRESHOLD: '0' };
  const { url, addUser, stopClock } = await startTestService(t, env);
  stopClock();
  await addUser('ana');
  const query = new URLSearchParams({ base: `${url}/alfresco/service`, password: PASSWORD });
  const { page: tab, complaints } = await openBrowser(t);
  await tab.goto(`${page}/?${query}`);
  const body = tab.locator('body', { hasNotText: 'nothing yet' });
  assert.deepEqual(JSON.parse((await body.textContent()) ?? ''), [
    ...['Refused', 'login_failed', null],
    ...['Refused', 'login_failed', 1],
    ...['TICKET_', true],
    ...['Refused', 'authentication_needed', null],
    ...['Unreadable', null, null],
  ]);
  // Of the refused requests and of the one that was sent elsewhere.
  complaints.length = 0;
});
