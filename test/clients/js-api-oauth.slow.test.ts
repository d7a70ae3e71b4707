import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AUDIENCE, loginsOf, startForTokens } from '../capabilities/oidc/v1/token-bearer.ts';
import { afterwards } from '../service/afterwards.ts';
import { PATIENCE } from '../service/patience.ts';
import { whyNoClients } from './installed.ts';

const run = promisify(execFile);
const SESSION = fileURLToPath(new URL('oauth-session.ts', import.meta.url));
const why = whyNoClients();

/** Where the clients get a token for a name and a password: as Keycloak has it, which `oidc-provider` has not. */
async function tokenEndpoint(t: TestContext, token: () => Promise<string>): Promise<string> {
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    assert.deepEqual([request.url, form.get('grant_type')], ['/protocol/openid-connect/token', 'password']);
    const issued = {
      access_token: await token(),
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: 'r',
    };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(issued));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const library of ['js-api-10', 'js-api-7', 'js-api-3'])
  test(`${library} exchanges a token of the provider for a ticket, and goes on with either`, async (t) => {
    if (why !== undefined) return t.skip(why);
    const { service, acme } = await startForTokens(t);
    const host = await tokenEndpoint(t, () => acme.accessToken('s-anna', AUDIENCE));
    const words = ['--unhandled-rejections=none', SESSION, library, service.url, host];
    const { stdout } = await run(process.execPath, words, { timeout: PATIENCE });
    const { ticket, ...others } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"ticket"')));
    assert.match(ticket, /^TICKET_[0-9a-f]{40}$/);
    assert.deepEqual(others, { byToken: 'anna', webScript: 'object', byTicket: 'anna' });
    assert.deepEqual(await loginsOf(service), [['login', 'anna', 'by acme']]);
  });
