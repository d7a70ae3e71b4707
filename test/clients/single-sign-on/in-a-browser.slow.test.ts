import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { afterwards } from '../../service/afterwards.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { freePort } from '../../service/free-port.ts';
import { CLIENTS, whyNoClients } from '../installed.ts';
import { signInAs, startWithApplication } from './application.ts';

const why = whyNoClients() ?? whyNoBrowser();
const skip = why ?? false;

/** A page of an application, at another origin than the provider: it has one library, and nothing else. */
async function startPage(t: TestContext, library: string): Promise<string> {
  const script = readFileSync(join(CLIENTS, 'node_modules', library));
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/library.js')) response.setHeader('Content-Type', 'text/javascript').end(script);
    else if (url === '/favicon.ico') response.writeHead(204).end();
    else response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Application</title>');
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${port}`;
}

/** What a library told the page about the person and its tokens. */
interface Told {
  readonly name: string | undefined;
  readonly groups: unknown;
  readonly mail: string | undefined;
  readonly accessToken: string;
}

/** Signs in from the page of the application, which the browser comes back to. */
async function throughSignIn(page: Page, url: string, begin: () => Promise<unknown>): Promise<void> {
  await begin();
  await page.waitForURL('**/portal/login?**');
  await signInAs(page, 'anna');
  await page.waitForURL(`${url}/**`);
}

test('oidc-client-ts signs a person in, renews the tokens without a page, and signs out', {
  skip,
}, async (t) => {
  const url = await startPage(t, 'oidc-client-ts/dist/browser/oidc-client-ts.min.js');
  const { issuer, service } = await startWithApplication(t, 'portal', {
    public: true,
    redirectUris: [`${url}/back`],
    postLogoutRedirectUris: [`${url}/out`],
  });
  const { page } = await openBrowser(t);
  const open = async () => {
    await page.addScriptTag({ url: `${url}/library.js` });
    await page.evaluate(
      ([authority, at]) => {
        const { UserManager } = Reflect.get(globalThis, 'oidc');
        const manager = new UserManager({
          authority,
          client_id: 'portal',
          redirect_uri: `${at}/back`,
          post_logout_redirect_uri: `${at}/out`,
          scope: 'openid profile email groups',
          loadUserInfo: true,
        });
        Object.assign(globalThis, { manager });
      },
      [issuer, url],
    );
  };
  await page.goto(url);
  await open();
  await throughSignIn(page, url, () =>
    page.evaluate(() => void Reflect.get(globalThis, 'manager').signinRedirect()),
  );
  await open();
  const told = (how: string): Promise<Told> =>
    page.evaluate(async (method) => {
      const { profile, access_token } = await Reflect.get(globalThis, 'manager')[method]();
      const { preferred_username, groups, email } = profile;
      return { name: preferred_username, groups, mail: email, accessToken: access_token };
    }, how);
  const first = await told('signinRedirectCallback');
  assert.deepEqual([first.name, first.mail], ['anna', 'anna@example.org']);
  assert.deepEqual(first.groups, ['GROUP_readers']);
  const renewed = await told('signinSilent');
  assert.notEqual(renewed.accessToken, first.accessToken);
  await page.evaluate(() => void Reflect.get(globalThis, 'manager').signoutRedirect());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${url}/out**`);
  await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/portal/account`);
  await page.waitForURL('**/portal/login?**');
});

test('keycloak-js signs a person in, reads the roles, renews the tokens and signs out', {
  skip,
}, async (t) => {
  const url = await startPage(t, 'keycloak-js/lib/keycloak.js');
  const { issuer } = await startWithApplication(t, 'portal', {
    public: true,
    redirectUris: [`${url}/`],
    postLogoutRedirectUris: [`${url}/`],
  });
  const { page } = await openBrowser(t);
  const begin = () =>
    page.evaluate(
      async ([server, realm]) => {
        const library = '/library.js';
        const { default: Keycloak } = await import(library);
        const keycloak = new Keycloak({ url: server, realm, clientId: 'portal' });
        Object.assign(globalThis, { keycloak });
        return keycloak.init({ pkceMethod: 'S256', scope: 'groups', checkLoginIframe: false });
      },
      [issuer.slice(0, issuer.indexOf('/realms/')), 'alfresco'],
    );
  const login = () => page.evaluate(() => void Reflect.get(globalThis, 'keycloak').login());
  await page.goto(`${url}/`);
  assert.equal(await begin(), false);
  await throughSignIn(page, url, login);
  assert.equal(await begin(), true);
  const told = await page.evaluate(async () => {
    const keycloak = Reflect.get(globalThis, 'keycloak');
    const { tokenParsed, token } = keycloak;
    const isRenewed = await keycloak.updateToken(-1);
    const info = await keycloak.loadUserInfo();
    return { tokenParsed, isRenewed, isAnother: keycloak.token !== token, info };
  });
  assert.deepEqual([told.isRenewed, told.isAnother], [true, true]);
  assert.deepEqual([told.tokenParsed.azp, told.tokenParsed.preferred_username], ['portal', 'anna']);
  assert.deepEqual([told.info.preferred_username, told.info.groups], ['anna', ['GROUP_readers']]);
  await page.evaluate(() => void Reflect.get(globalThis, 'keycloak').logout());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${url}/`);
  assert.equal(await begin(), false);
  await login();
  await page.waitForURL('**/portal/login?**');
});
