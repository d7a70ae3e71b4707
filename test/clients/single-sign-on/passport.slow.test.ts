import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { afterwards } from '../../service/afterwards.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { freePort } from '../../service/free-port.ts';
import { CLIENTS, whyNoClients } from '../installed.ts';
import { signInAs, startWithApplication } from './application.ts';

const why = whyNoClients() ?? whyNoBrowser();

/** What Passport takes of a request: what a framework such as Express adds to it. */
type PassportRequest = IncomingMessage & { query?: object; session?: object };

/** Passport, as far as it is used here. */
interface Passport {
  use(name: string, strategy: object): void;
  authenticate(
    name: string,
    options: object,
    done: (fault: unknown, user: unknown, info: unknown) => void,
  ): (request: PassportRequest, response: unknown) => void;
}

type Strategy = new (options: object, verify: (...told: never[]) => void) => object;

/** A website that signs people in by `passport-openidconnect`, and shows what it was told about them. */
async function startWebsite(t: TestContext, url: string, options: object): Promise<void> {
  const require = createRequire(join(CLIENTS, 'package.json'));
  const passport = new (require('passport').Passport)() as Passport;
  const OpenIdConnect = require('passport-openidconnect').Strategy as Strategy;
  const verify = (issuer: string, profile: object, done: (fault: unknown, user: object) => void) =>
    done(null, { issuer, ...profile });
  passport.use('tessera', new OpenIdConnect({ ...options, callbackURL: `${url}/back` }, verify));
  // One browser comes here, so it has the only session.
  const session = {};
  const listener: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    if (pathname === '/favicon.ico') return response.writeHead(404).end();
    const told = Object.assign(request, { query: Object.fromEntries(searchParams), session });
    const show = (fault: unknown, user: unknown, info: unknown) =>
      response.end(JSON.stringify(fault ? String(fault) : user || info));
    passport.authenticate('tessera', { session: false }, show)(told, response);
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
}

test('passport-openidconnect signs a person in with a secret, and reads the profile', async (t) => {
  if (why !== undefined) return t.skip(why);
  const url = `http://localhost:${await freePort()}`;
  const { issuer, secret } = await startWithApplication(t, 'website', { redirectUris: [`${url}/back`] });
  const protocol = `${issuer}/protocol/openid-connect`;
  await startWebsite(t, url, {
    issuer,
    authorizationURL: `${protocol}/auth`,
    tokenURL: `${protocol}/token`,
    userInfoURL: `${protocol}/userinfo`,
    clientID: 'website',
    clientSecret: secret,
    scope: ['profile', 'email'],
    skipUserProfile: false,
  });
  const { page } = await openBrowser(t);
  await page.goto(`${url}/`);
  await signInAs(page, 'anna');
  await page.waitForURL(`${url}/back?**`);
  const person = JSON.parse(await page.locator('body').innerText());
  assert.deepEqual([person.issuer, person.username], [issuer, 'anna']);
  assert.deepEqual(person.emails, [{ value: 'anna@example.org' }]);
});
