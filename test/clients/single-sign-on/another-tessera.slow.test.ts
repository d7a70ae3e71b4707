import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { providersDocument } from '../../capabilities/oidc/written.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { freePort } from '../../service/free-port.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { signInAs, startWithApplication } from './application.ts';

const skip = whyNoBrowser() ?? false;

/** A service whose identity provider is another one. For a browser they are on two sites, by two names of this machine. */
async function startPair(t: TestContext) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const {
    service: upstream,
    issuer,
    secret,
  } = await startWithApplication(t, 'branch', {
    redirectUris: [`${url}/portal/signed-in/head-office`],
    postLogoutRedirectUris: [`${url}/portal/login`],
  });
  const clientSecretFile = join(await temporaryFolder(t), 'head-office.secret');
  writeFileSync(clientSecretFile, secret);
  const provider = {
    id: 'head-office',
    name: 'Head office',
    issuer,
    clientId: 'branch',
    clientSecretFile,
    scopes: ['profile', 'email', 'groups'],
    groups: { claim: 'groups' },
    signOut: true,
  };
  const service = await startTestService(t, {
    TESSERA_PORT: String(port),
    TESSERA_PROVIDERS: await providersDocument(t, JSON.stringify({ providers: [provider] })),
  });
  return { service, url, upstream };
}

test('one service is the identity provider of another: a sign-in there is one here, and a sign-out here is one there', {
  skip,
}, async (t) => {
  const { service, url, upstream } = await startPair(t);
  const { page } = await openBrowser(t);
  const signIn = async () => {
    await page.goto(`${url}/portal/login?again=yes&return=/portal/account`);
    await page.getByRole('button', { name: 'Sign in with Head office' }).click();
  };
  await signIn();
  await page.waitForURL(`${upstream.url}/portal/login?**`);
  await signInAs(page, 'anna');
  await page.waitForURL(`${url}/portal/account`);
  await page.getByText('You are signed in as anna').waitFor();
  const person = await service.store.read(async ({ users, profiles, groups }) => {
    const user = await users.findByKey('anna');
    const id = user?.id ?? 0;
    const [profile, memberships] = await Promise.all([profiles.find(id), groups.ofUser(id)]);
    return { provider: user?.provider, email: profile.email, groups: memberships.map(({ name }) => name) };
  });
  assert.deepEqual(person, { provider: 'head-office', email: 'anna@example.org', groups: ['readers'] });

  // A log-out there does not end the ticket here, and the next sign-in asks there again.
  await page.goto(`${upstream.url}/portal/account`);
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${upstream.url}/portal/login**`);
  await page.goto(`${url}/portal/account`);
  await page.getByText('You are signed in as anna').waitFor();
  await signIn();
  await page.waitForURL(`${upstream.url}/portal/login?**`);
  await signInAs(page, 'anna');
  await page.waitForURL(`${url}/portal/account`);

  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${upstream.url}/auth/realms/alfresco/**`);
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${url}/portal/login**`);
  for (const origin of [url, upstream.url]) {
    await page.goto(`${origin}/portal/account`);
    assert.equal(new URL(page.url()).pathname, '/portal/login');
  }
});
