import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { afterwards } from '../../service/afterwards.ts';
import { openBrowser, whyNoBrowser } from '../../service/browser.ts';
import { freePort } from '../../service/free-port.ts';
import { temporaryFolder } from '../../service/start.ts';
import { until } from '../../service/until.ts';
import { signInAs, startWithApplication } from './application.ts';

const APACHE = '/usr/sbin/apache2';
const MODULES = '/usr/lib/apache2/modules';

/** Why Apache with its module for OpenID Connect cannot be started here; undefined if it can. */
function whyNoApache(): string | undefined {
  if (existsSync(APACHE) && existsSync(`${MODULES}/mod_auth_openidc.so`)) return undefined;
  const why =
    'Apache is not installed: apt-get install libapache2-mod-auth-openidc; TESSERA_TEST_ALL=1 makes that a failure';
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}

const skip = whyNoApache() ?? whyNoBrowser() ?? false;

interface Application {
  readonly url: string;
  readonly port: number;
  readonly issuer: string;
  readonly secret: string;
}

/** The configuration of an Apache that lets in people of one group, and tells the browser who they are. */
const configuration = (folder: string, { url, port, issuer, secret }: Application) => `
ServerName localhost
ServerRoot ${folder}
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
DocumentRoot ${folder}/pages
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'auth_openidc']
  .map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`)
  .join('\n')}
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID apache
OIDCClientSecret ${secret}
OIDCRedirectURI ${url}/back
OIDCDefaultLoggedOutURL ${url}/public
OIDCScope "openid profile groups"
OIDCRemoteUserClaim preferred_username
OIDCCryptoPassphrase a-passphrase-of-this-test
<Location />
  AuthType openid-connect
  Require claim groups:GROUP_readers
  Header always set X-User "%{OIDC_CLAIM_preferred_username}e"
</Location>
<Location /public>
  Require all granted
</Location>
`;

async function startApache(t: TestContext, application: Application): Promise<void> {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'pages'));
  for (const name of ['index.html', 'public'])
    writeFileSync(join(folder, 'pages', name), '<!doctype html><title>Page</title><p>Behind Apache');
  const file = join(folder, 'apache.conf');
  writeFileSync(file, configuration(folder, application));
  const child = spawn(APACHE, ['-f', file, '-D', 'FOREGROUND'], { stdio: 'inherit' });
  afterwards(t, async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  await until('Apache answers', async () => (await fetch(`${application.url}/public`)).ok);
}

test('mod_auth_openidc lets in a person of a group, by a client secret, and signs out', {
  skip,
}, async (t) => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { issuer, secret } = await startWithApplication(t, 'apache', {
    redirectUris: [`${url}/back`],
    postLogoutRedirectUris: [`${url}/public`],
  });
  await startApache(t, { url, port, issuer, secret });
  const { page } = await openBrowser(t);
  await page.goto(url);
  await page.waitForURL('**/portal/login?**');
  await signInAs(page, 'anna');
  await page.getByText('Behind Apache').waitFor();
  const answer = await page.goto(url);
  assert.equal(answer?.headers()['x-user'], 'anna');
  await page.goto(`${url}/back?logout=${encodeURIComponent(`${url}/public`)}`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${url}/public`);
  await page.goto(url);
  await page.waitForURL('**/portal/login?**');
});
