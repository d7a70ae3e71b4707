import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLIENT_SECRET, keycloakRealm, RIGHT } from '../capabilities/migration/import/keycloak-realm.ts';
import { shell } from '../faces/cli/command.ts';
import { startTestService, temporaryFolder } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { blocksIn, commandsOf, pageAt } from './page.ts';

const PAGE = pageAt('how-to/from-keycloak.md');

test('the page about Keycloak: users sign in with their passwords, and a client proves itself by its secret', async (t) => {
  const service = await startTestService(t, { TESSERA_ISSUER: 'http://127.0.0.1/realms/alfresco' });
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'realm.json'), keycloakRealm());
  const run = (commands: string) =>
    shell(commandsOf(commands), { cwd: folder, env: { TESSERA_DATA: service.data } });
  const [importing = '', applying = '', removing = ''] = blocksIn(PAGE, 'sh');
  const [, told, left] = blocksIn(PAGE, 'text');

  const [dryRun = '', importOf = ''] = importing.split('\n');
  const dry = await run(dryRun);
  assert.equal(dry.stdout + dry.stderr, told);
  await run(importOf);
  for (const name of ['anna', 'ben', 'carla']) await logIn(service.url, name, RIGHT);

  const [converting = '', , applyingAll = ''] = applying.split('\n');
  assert.equal((await run(converting)).stderr, left);
  assert.doesNotMatch(readFileSync(join(folder, 'applications.json'), 'utf8'), new RegExp(CLIENT_SECRET));
  const { code, stdout, stderr } = await run(applyingAll);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\+ application "alfresco"[\s\S]*\+ application "grafana"/);
  const { applications } = await service.store.read(async (unit) => ({
    applications: await unit.applications.list(),
  }));
  assert.deepEqual(
    applications.map(({ name, settings }) => ({ name, ...settings })),
    [
      {
        name: 'alfresco',
        redirectUris: ['https://alfresco.example.org/', 'iosacsapp://aims/auth'],
        postLogoutRedirectUris: ['https://alfresco.example.org/', 'iosacsapp://aims/auth'],
        flows: ['code', 'refresh', 'device_code'],
        title: 'Alfresco',
        public: true,
        trusted: true,
      },
      {
        name: 'grafana',
        redirectUris: ['https://grafana.example.org/login/generic_oauth'],
        postLogoutRedirectUris: ['https://grafana.example.org/login', 'https://grafana.example.org/'],
        flows: ['code', 'refresh'],
      },
    ],
  );
  const asking = (secret: string) =>
    fetch(`${new URL(service.url).origin}/realms/alfresco/protocol/openid-connect/token/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`grafana:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ token: 'none' }),
    });
  assert.equal((await asking(CLIENT_SECRET)).status, 200);
  assert.equal((await asking(`${CLIENT_SECRET}x`)).status, 401);

  await run(removing);
  assert.deepEqual(readdirSync(folder), []);
});
