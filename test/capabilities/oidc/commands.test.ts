import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../faces/cli/command.ts';
import { startIdentityProvider } from '../../service/identity-provider.ts';
import { temporaryFolder } from '../../service/start.ts';

test('providers check asks each provider, and says what to register and what to mend', async (t) => {
  const acme = await startIdentityProvider(t);
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'secret'), 'of a test');
  const redirect_uris = ['https://tickets.example.org/portal/signed-in/acme'];
  acme.register({ client_id: 'tessera', client_secret: 'of a test', redirect_uris });
  const right = {
    id: 'acme',
    name: 'Acme',
    issuer: acme.issuer,
    clientId: 'tessera',
    clientSecretFile: 'secret',
  };
  const check = async (provider: object, ...words: readonly string[]) => {
    writeFileSync(join(folder, 'providers.json'), JSON.stringify({ providers: [provider] }));
    const { stdout, stderr, code } = await run('tessera', ['providers', 'check', ...words], {
      cwd: folder,
      env: { TESSERA_PROVIDERS: 'providers.json', TESSERA_PORTAL_URL: 'https://tickets.example.org' },
    });
    return { text: stdout.replaceAll(acme.issuer, 'ISSUER').split('\n').slice(0, -1), stderr, code };
  };
  assert.deepEqual(await check(right, 'acme'), {
    text: [
      'acme (ISSUER)',
      '  ok     register there as redirect URI: https://tickets.example.org/portal/signed-in/acme',
      '  ok     it answers, and its metadata name this issuer',
      '  ok     its metadata name where people sign in and where codes are exchanged',
      '  ok     it knows PKCE (S256)',
      '  ok     it knows the scopes openid, profile, email',
      '  ok     it signs with RS256',
      '  ok     its keys can be read',
      '  ok     it knows this client',
    ],
    stderr: '',
    code: 0,
  });
  const wrong = { ...right, clientId: 'tesera', scopes: ['profil'], algorithms: ['ES512'], signOut: true };
  const found = await check(wrong);
  assert.deepEqual(found.text.slice(2), [
    '  ok     register there as post-logout redirect URI: https://tickets.example.org/portal/login',
    '  ok     it answers, and its metadata name this issuer',
    '  ok     its metadata name where people sign in and where codes are exchanged',
    '  ok     it knows PKCE (S256)',
    '  WRONG  it does not know the scopes profil: add them there, or change "scopes"',
    '  WRONG  it signs with RS256: write one of them that has a public key as "algorithms"',
    '  ok     it has a sign-out',
    '  ok     its keys can be read',
    '  WRONG  it does not accept this client (invalid_client): compare clientId, and the secret in clientSecretFile',
  ]);
  assert.deepEqual([found.stderr, found.code], ['3 steps are wrong.\n', 1]);
  const slashed = await check({ ...right, issuer: `${acme.issuer}/` });
  assert.match(
    slashed.text.at(-1) ?? '',
    /names itself "ISSUER": write that as "issuer" in TESSERA_PROVIDERS$/,
  );
  await acme.stop();
  assert.match(
    (await check(right)).text.at(-1) ?? '',
    /WRONG {2}its metadata cannot be read: .*ECONNREFUSED.*: check "issuer"/,
  );
  assert.match(
    (await check(right, 'other')).stderr,
    /^The document has no provider "other": name one by its id/,
  );
  const none = await run('tessera', ['providers', 'check'], { cwd: folder });
  assert.match(
    none.stderr,
    /^There are no providers: name their document with --providers or in TESSERA_PROVIDERS/,
  );
});
