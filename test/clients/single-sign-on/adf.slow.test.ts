import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, request } from 'node:http';
import { extname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { addApplication } from '../../capabilities/oidc-provider/relying-party.ts';
import { afterwards } from '../../service/afterwards.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { freePort } from '../../service/free-port.ts';
import { PATIENCE } from '../../service/patience.ts';
import { PASSWORD, startTestService, temporaryFolder } from '../../service/start.ts';
import { ADF, whyNoAdf } from '../installed.ts';
import { signInAs } from './application.ts';

const run = promisify(execFile);
const why = whyNoAdf() ?? whyNoBrowser();
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Builds the application. Gives the folder of its files. */
async function build(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  const ng = join(ADF, 'node_modules/.bin/ng');
  await run(process.execPath, [ng, 'build', '--output-path', folder], { cwd: ADF, timeout: PATIENCE });
  return join(folder, 'browser');
}

/** How the application is set up. */
interface Variant {
  readonly authType: 'BASIC' | 'OAUTH';
  /** Whether the path is behind a `#`. */
  readonly routing: 'hash' | 'path';
  /** `redirectUri` in `app.config.json`, below the address of the application. */
  readonly redirectUri: string;
  /** The address that it then sends, and that has to be registered. */
  readonly registered: string;
}

const VARIANTS: readonly Variant[] = [
  { authType: 'BASIC', routing: 'hash', redirectUri: '/', registered: '/' },
  { authType: 'OAUTH', routing: 'path', redirectUri: '/', registered: '/view/authentication-confirmation' },
  { authType: 'OAUTH', routing: 'hash', redirectUri: '/signed-in.html', registered: '/signed-in.html' },
];

/** The files of the application, with the API of the service beside them, as one proxy serves them. */
function listenerFor(files: string, service: string, routing: string, config: object): RequestListener {
  return (incoming, response) => {
    const { method, url = '', headers } = incoming;
    const { pathname } = new URL(url, service);
    const send = (file: string, content: string | Buffer) =>
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'text/plain').end(content);
    if (pathname.startsWith('/alfresco/')) {
      const sent = request(service + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(sent);
    } else if (pathname === '/app.config.json') send(pathname, JSON.stringify(config));
    else if (pathname === '/signed-in.html') send(pathname, readFileSync(join(ADF, pathname)));
    else if (extname(pathname) === '') {
      const page = readFileSync(join(files, 'index.html'), 'utf8');
      send('index.html', page.replace('<html', `<html data-routing="${routing}"`));
    } else if (existsSync(join(files, pathname))) send(pathname, readFileSync(join(files, pathname)));
    else response.writeHead(404).end();
  };
}

async function serve(t: TestContext, url: string, listener: RequestListener): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
}

/** What the application reads of its surroundings. */
const configurationOf = (
  url: string,
  issuer: string,
  clientId: string,
  { authType, redirectUri }: Variant,
) => ({
  ecmHost: url,
  providers: 'ECM',
  authType,
  application: { name: 'Example', storagePrefix: 'example' },
  oauth2: {
    host: issuer,
    clientId,
    scope: 'openid profile email',
    implicitFlow: false,
    codeFlow: true,
    silentLogin: true,
    redirectUri: redirectUri === '/' ? '/' : url + redirectUri,
    redirectUriLogout: '/',
  },
});

/** Signs in to the application in its way, waits for the name that it reads from the API, and signs out. */
async function signInAndOut(page: Page, url: string, authType: Variant['authType']): Promise<void> {
  await page.goto(`${url}/`);
  if (authType === 'OAUTH') {
    await page.waitForURL('**/portal/login?**');
    await signInAs(page, 'anna');
  } else {
    await page.locator('#username').fill('anna');
    await page.locator('#password').fill(PASSWORD);
    await page.locator('#login-button').click();
  }
  await page.getByRole('heading', { name: 'Hello anna' }).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  if (authType === 'OAUTH') {
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/portal/login?**');
  } else await page.locator('#username').waitFor();
}

test('an application of ADF 9 signs a person in and out', async (t) => {
  if (why !== undefined) return t.skip(why);
  const files = await build(t);
  // The library of ADF takes an issuer without TLS if its host has this name.
  const origin = `http://localhost:${await freePort()}`;
  const service = await startTestService(t, { TESSERA_PORT: new URL(origin).port, TESSERA_ISSUER: origin });
  await service.addUser('anna');
  for (const variant of VARIANTS) {
    const { authType, routing, registered } = variant;
    const way = authType === 'BASIC' ? 'a ticket' : 'the code flow';
    await t.test(`by ${way} (${authType}), with its routes in the ${routing}`, async (t) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const clientId = `adf-${authType}-${routing}`;
      await addApplication(service, clientId, {
        public: true,
        trusted: true,
        actsForUser: true,
        redirectUris: [url + registered],
        postLogoutRedirectUris: [url, `${url}/`],
      });
      const config = configurationOf(url, `${origin}/auth/realms/alfresco`, clientId, variant);
      await serve(t, url, listenerFor(files, service.url, routing, config));
      // ADF has texts of languages, and none of countries.
      const { page } = await openBrowser(t, { language: 'en' });
      await signInAndOut(page, url, authType);
    });
  }
});
