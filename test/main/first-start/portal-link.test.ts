import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onTerminal } from '../../faces/cli/terminal.ts';
import { Visitor } from '../../faces/pages/browse.ts';
import { readPage } from '../../faces/pages/read-page.ts';
import { certificateFiles, tlsSettings } from '../../service/certified.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { FREE_PORTS, serve } from './serve.ts';

const LINK = /^or in a browser at\n {2}(\S+)\/portal\n/m;
const linkIn = (told: string) => LINK.exec(told)?.[1];

/** Signs in with the password of a first start, which the page has replaced by an own one first. */
async function signInFirst(url: string, password: string): Promise<void> {
  const visitor = new Visitor({ url });
  const refused = await visitor.post('/portal/login', { username: 'admin', password });
  assert.equal(refused.status, 403);
  assert.equal(readPage(await refused.text()).heading, 'Choose a new password');
  assert.equal(visitor.cookies.size, 0, 'no ticket before');
  const own = { username: 'admin', oldPassword: password, newPassword: 'an even longer, quieter river' };
  assert.equal((await visitor.post('/portal/new-password', own)).status, 303);
  assert.equal((await visitor.get('/portal/account')).status, 200);
}

test('the link on a terminal leads to the sign-in page, which asks for another password than the one that is shown', async (t) => {
  const cwd = await temporaryFolder(t);
  const { screen, until } = onTerminal(t, 'tessera serve', { cwd, env: FREE_PORTS });
  const [, origin = ''] = await until(LINK);
  await until(/^Tessera listens on /m);
  const [, password = ''] = /shown this once:\n\n {2}([\w-]{20,})\n/.exec(screen()) ?? [];
  await signInFirst(origin, password);
});

test('without a terminal the link stands beside the file with the password, which programs can go on with', async (t) => {
  const cwd = await temporaryFolder(t);
  const { url, told } = serve(t, { cwd });
  const base = await url;
  assert.equal(linkIn(told()), base);
  const password = (await readFile(join(cwd, 'data/initial-password'), 'utf8')).trimEnd();
  await logIn(base, 'admin', password);
  await signInFirst(base, password);
});

test('a password that the operator gave is good for the sign-in page at once', async (t) => {
  const env = { TESSERA_ADMIN_PASSWORD: PASSWORD };
  const { url } = serve(t, { cwd: await temporaryFolder(t), env });
  await new Visitor({ url: await url }).signIn('admin', PASSWORD);
});

test('over TLS the link has a name that the certificate holds', async (t) => {
  const cwd = await temporaryFolder(t);
  const tls = tlsSettings(certificateFiles(t, 'DNS:x.example.org,DNS:localhost'));
  const { url, told } = serve(t, { cwd, env: tls });
  const { port } = new URL(await url);
  assert.equal(linkIn(told()), `https://localhost:${port}`);
});

for (const [where, env] of [
  ['without pages', { TESSERA_PORTAL: 'false' }],
  ['where a browser keeps no ticket', { TESSERA_HOSTS: 'tickets.example.org' }],
] as const) {
  test(`${where} there is no link, and the curl line stays`, async (t) => {
    const { url, told } = serve(t, { cwd: await temporaryFolder(t), env });
    await url;
    assert.match(told(), /^Log in with\n {2}curl .*\nTessera listens on /m);
  });
}
