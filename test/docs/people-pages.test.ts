import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mailSettings, startMailServer } from '../capabilities/mail/mail-server.ts';
import { shell } from '../faces/cli/command.ts';
import { startTestService, temporaryFolder } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { until } from '../service/until.ts';
import { blocksIn, commandsOf, pageAt } from './page.ts';

const blocksOf = (page: string) => blocksIn(pageAt(`how-to/${page}`), 'sh');

/** A service with these settings, and what plays blocks of a page beside it. Each line has to succeed. */
async function startBeside(t: TestContext, settings: Readonly<Record<string, string>>) {
  const service = await startTestService(t, settings);
  const folder = await temporaryFolder(t);
  const play = async (block: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const env = { TESSERA_DATA: service.data, ...settings, ...more };
    const ended = await shell(`set -e\n${commandsOf(block)}`, { cwd: folder, env });
    assert.equal(ended.code, 0, ended.stderr);
    return ended.stdout + ended.stderr;
  };
  return { service, folder, play };
}

test('the page about mail: a try, an invitation, the list, and another try', async (t) => {
  const server = await startMailServer(t);
  const { play, service } = await startBeside(t, mailSettings(server));
  const [, trying = '', inviting = '', listing = '', retrying = ''] = blocksOf('mail.md');
  await play(trying);
  await play(inviting);
  await until('both mails came', () => server.mails.length === 2);
  assert.deepEqual(server.mails.map(({ to }) => to.join()).sort(), ['dora@example.org', 'you@example.org']);
  // The page looks for failures, of which there are none.
  await play(listing.replace('| grep mail-failed', ''));
  await play(retrying);
  assert.ok(service.lines.every((line) => !line.includes('"msg":"fault"')));
});

test('the page about single sign-on: its applications are added, and keys and secrets are renewed', async (t) => {
  const { play } = await startBeside(t, { TESSERA_ISSUER: 'https://tickets.example.org' });
  const [, grafana = '', , alfresco = '', documented = '', renewing = ''] = blocksOf('single-sign-on.md');
  assert.match(await play(grafana), /SECRET_/);
  await play(alfresco);
  assert.doesNotMatch(await play(documented), /SECRET_/);
  await play(renewing);
  assert.match(await play('bin/tessera applications list'), /grafana[\s\S]*alfresco|alfresco[\s\S]*grafana/);
});

test("the page in place of Alfresco's Identity Service: the application is registered, and discovery is there", async (t) => {
  const { play, service } = await startBeside(t, { TESSERA_ISSUER: 'https://tickets.example.org' });
  const [, registering = '', discovering = ''] = blocksOf('in-place-of-the-identity-service.md');
  const here = (block: string) =>
    block
      .replaceAll('https://tickets.example.org', new URL(service.url).origin)
      .replaceAll('curl ', 'curl -sSf ');
  const key = await service.addApiKey('administrator');
  assert.match(await play(here(registering), { key }), /"public":true/);
  assert.match(
    await play(here(discovering)),
    /"issuer":"https:\/\/tickets\.example\.org\/auth\/realms\/alfresco"/,
  );
});

test('the page about second factors: keys are made, listed, renewed, and a factor is reset', async (t) => {
  const folder = await temporaryFolder(t);
  const TESSERA_SECRET_KEYS_FILE = join(folder, 'secret-keys');
  const [making = '', renewing = '', resetting = ''] = blocksOf('second-factor.md');
  assert.equal((await shell(making.replace('/etc/tessera', folder))).code, 0);
  const { play, service } = await startBeside(t, { TESSERA_SECRET_KEYS_FILE });
  await service.addUser('alice');
  await play(renewing);
  await play(resetting);
});

test('the page about clients with a screen: each line is answered about alice', async (t) => {
  const { play, service } = await startBeside(t, {});
  await service.addUser('alice', { password: 'a long quiet river' });
  const ticket = await logIn(service.url, 'alice', 'a long quiet river');
  const [asking = ''] = blocksOf('clients-with-a-screen.md');
  const block = asking
    .replace('http://127.0.0.1:8080', new URL(service.url).origin)
    .replaceAll('curl -s', 'curl -sf');
  assert.equal((await play(block, { ticket })).match(/alice/g) !== null, true);
});

test('the page about an own name: the doctor takes its settings', async (t) => {
  const [naming = '', looking = ''] = blocksOf('own-name.md');
  const { play, folder } = await startBeside(t, {});
  writeFileSync(
    join(folder, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>',
  );
  // The doctor finds other things on this machine, and says so by its exit code.
  const said = await play(`${naming.replace('/etc/tessera', folder)}${looking.trim()} || true`);
  assert.match(said, /own name/);
  assert.doesNotMatch(said, /TESSERA_BRAND_\w+: /);
});
