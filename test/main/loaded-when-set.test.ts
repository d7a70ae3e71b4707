import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../service/start.ts';

/** Starts and stops a service, and prints the addresses of all modules that it loaded. */
const SCRIPT = `
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({ resolve: (name, context, next) => { const found = next(name, context); loaded.add(found.url); return found; } });
const { readSettings } = await import('./src/main/settings.ts');
const { startService } = await import('./src/main/main.ts');
const { settings } = readSettings({ flags: {}, env: JSON.parse(process.env.GIVEN) });
const service = await startService(settings, { onTerminal: false });
if (process.env.ASKED) await fetch(service.url + process.env.ASKED);
await service.stop();
process.stdout.write(JSON.stringify([...loaded]));
`;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a service with these settings loads. */
function loadedWith(env: Record<string, string>, asked = ''): readonly string[] {
  const given = { TESSERA_PORT: '0', TESSERA_METRICS_PORT: '0', TESSERA_LOG_LEVEL: 'silent', ...env };
  const cheap = {
    TESSERA_HASH_MEMORY: '8',
    TESSERA_HASH_PASSES: '1',
    TESSERA_ADMIN_PASSWORD: 'correct-horse-battery',
  };
  const said = execFileSync(join(ROOT, 'bin/node'), ['--input-type=module', '--eval', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, ASKED: asked, GIVEN: JSON.stringify({ ...cheap, ...given }) },
    encoding: 'utf8',
  });
  return JSON.parse(said);
}

/** Code that is loaded only when a setting, or its first use, needs it. */
const ON_DEMAND = [
  '/node_modules/ldapts/',
  '/node_modules/openid-client/',
  '/node_modules/oidc-provider/',
  '/node_modules/koa/',
  '/node_modules/jose/',
  '/node_modules/@simplewebauthn/',
  '/node_modules/otpauth/',
  '/node_modules/qr/',
  '/node_modules/nodemailer/',
  '/node_modules/pg/',
  '/node_modules/@redis/',
  '/node_modules/@opentelemetry/',
  '/src/capabilities/ldap/',
  '/src/capabilities/tracing/',
  '/src/capabilities/scim/',
  '/src/capabilities/webhooks/',
  '/src/capabilities/mail/delivery.ts',
  '/src/capabilities/mail/letter',
  '/src/capabilities/mail/transport.ts',
  '/src/capabilities/oidc-provider/running.ts',
  '/src/capabilities/oidc-provider/adapter.ts',
  '/src/capabilities/oidc-provider/views.ts',
];

test('a service loads only what its settings need', async (t) => {
  const TESSERA_DATA = await temporaryFolder(t);
  const plain = loadedWith({ TESSERA_DATA });
  assert.ok(plain.some((url) => url.endsWith('/src/main/main.ts')));
  for (const part of ON_DEMAND)
    assert.deepEqual(
      plain.filter(
        (url) =>
          url.includes(part) &&
          !/\/(assembly|capability|operations|settings|sweep)\.ts$|\/(tables|operations)\//.test(url),
      ),
      [],
    );
  const directory = { TESSERA_LDAP_URLS: 'ldaps://localhost:1', TESSERA_LDAP_USER_BASE: 'dc=example' };
  const withDirectory = loadedWith({ TESSERA_DATA, ...directory });
  assert.ok(withDirectory.some((url) => url.includes('/node_modules/ldapts/')));
});

test('pages are loaded for the first request to one, and for no other request', async (t) => {
  const TESSERA_DATA = await temporaryFolder(t);
  const pagesAfter = (asked: string) =>
    loadedWith({ TESSERA_DATA }, asked).filter((url) =>
      /\/src\/(main\/pages|.*\/pages\/.*\.(get|post))\.ts$/.test(url),
    );
  assert.deepEqual(pagesAfter('/alfresco/service/api/server'), []);
  assert.deepEqual(pagesAfter('/favicon.ico'), []);
  assert.ok(pagesAfter('/portal/login').length > 20);
  assert.ok(pagesAfter('/').length > 20);
});
