import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { checkForEverybody } from '../../faces/pages/check-page.ts';
import { afterwards } from '../../service/afterwards.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { freePort } from '../../service/free-port.ts';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { addApplication } from './relying-party.ts';

const skip = whyNoBrowser() ?? false;

/** An application on another site, which shows the query that it is called with. */
async function startApplication(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>app</title><link rel="icon" href="data:,"><h1>${request.url?.split('?')[0]}</h1>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a person signs in to an application on another site with consent, also without scripts, and out again', {
  skip,
}, async (t) => {
  const app = await startApplication(t);
  const port = await freePort();
  // Another name of this machine is another site for a browser, so cookies and policies count.
  const issuer = `http://localhost:${port}`;
  const service = await startTestService(t, { TESSERA_ISSUER: issuer, TESSERA_PORT: String(port) });
  await service.addUser('anna');
  const settings = { redirectUris: [`${app}/in`], postLogoutRedirectUris: [`${app}/out`] };
  await addApplication(service, 'app', { ...settings, title: 'The App', public: true });
  const protocol = `${issuer}/auth/realms/alfresco/protocol/openid-connect`;
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const asked = {
    client_id: 'app',
    response_type: 'code',
    redirect_uri: `${app}/in`,
    scope: 'openid profile groups',
  };
  const request = new URLSearchParams({
    ...asked,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    prompt: 'consent',
  });
  for (const scripts of [true, false]) {
    const { page } = await openBrowser(t, { scripts, width: 360 });
    await page.goto(`${protocol}/auth?${request}`);
    await page.getByLabel('User name').fill('anna');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to The App?' }).waitFor();
    if (scripts) await checkForEverybody(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${app}/in?code=**`);
    const leave = new URLSearchParams({ client_id: 'app', post_logout_redirect_uri: `${app}/out` });
    await page.goto(`${protocol}/logout?${leave}`);
    if (scripts) await checkForEverybody(page);
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${app}/out**`);
    await page.goto(`${issuer}/portal/account`);
    assert.equal(new URL(page.url()).pathname, '/portal/login', 'the ticket has ended');
    await page.goto(`${issuer}/auth/realms/alfresco/device`);
    if (scripts) await checkForEverybody(page);
  }
});
