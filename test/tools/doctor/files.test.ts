import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { certificateFiles, tlsSettings } from '../../service/certified.ts';
import { startIdentityProvider } from '../../service/identity-provider.ts';
import { dnOf, person, READER, READER_PASSWORD, Slapd, USERS, whyNoSlapd } from '../../service/slapd.ts';
import { examine, wellSetUp } from './examined.ts';

test('keys and secrets that others may read, or that are no keys, are found', async (t) => {
  const { data, env } = await wellSetUp(t);
  const key = join(data, 'throttle-key');
  const prints = async () => (await examine(env)).of('key files', 'ok');
  const [first] = await prints();
  assert.match(first ?? '', /^the key of the failure counters has the fingerprint [0-9a-f]{8}: /);
  writeFileSync(key, 'cd'.repeat(32));
  assert.notEqual((await prints())[0], first);
  const [file, config] = [join(data, 'password'), join(data, 'settings.json')];
  writeFileSync(file, 'secret', { mode: 0o600 });
  writeFileSync(config, '{}', { mode: 0o640 });
  const given = { ...env, TESSERA_NODES_PASSWORD_FILE: file, TESSERA_CONFIG: config };
  assert.match(
    (await examine(given)).of('key files', 'ok').join(),
    /2 files of settings and secrets are closed/,
  );
  for (const each of [key, file, config]) chmodSync(each, 0o644);
  const warned = (await examine(given)).of('key files', 'warning').join('\n');
  assert.match(
    warned,
    /throttle-key \(mode 644\).*\n.*settings\.json.*\n.*password .*\(TESSERA_NODES_PASSWORD\)/,
  );
  const [providers, secret] = [join(data, 'providers.json'), join(data, 'of-a-client')];
  writeFileSync(providers, '{"providers": [{"clientSecretFile": "of-a-client"}]}');
  writeFileSync(secret, 'secret');
  chmodSync(secret, 0o644);
  const named = (await examine({ ...env, TESSERA_PROVIDERS: providers })).of('key files', 'warning').join();
  assert.match(named, /of-a-client \(mode 644\).*\(TESSERA_PROVIDERS\)/);
  assert.doesNotMatch(named, /providers\.json/);
  const unread = await examine({ ...env, TESSERA_PROVIDERS: data });
  assert.match(unread.of('key files', 'ok').join(), /fingerprint/);
  writeFileSync(key, 'no key');
  assert.match(
    (await examine(env)).of('key files', 'fault').join(),
    /^TESSERA_THROTTLE_KEY_FILE: .*it holds no key/,
  );
});

/** Has openssl make a certificate for one more day of so many, in place of the one in the file. */
function nearlyExpired(t: TestContext) {
  const files = certificateFiles(t);
  const subject = ['-subj', '/CN=short', '-days', '1', '-set_serial', '1'];
  const request = execFileSync('openssl', ['req', '-x509', '-key', files.key, ...subject], { stdio: 'pipe' });
  writeFileSync(files.cert, request);
  return files;
}

test('a certificate is looked at: its key, its end, its names, its chain, and who may read the key', async (t) => {
  const { env } = await wellSetUp(t);
  const files = certificateFiles(t, 'DNS:tickets.example.org');
  const look = async (level: 'ok' | 'warning' | 'fault', more: Record<string, string> = {}) =>
    (await examine({ ...env, ...tlsSettings(files), ...more })).of('certificate', level).join('\n');
  appendFileSync(files.cert, readFileSync(files.ca));
  assert.match(await look('ok'), /belongs to its key, and is valid until 2/);
  chmodSync(files.key, 0o644);
  const named = {
    TESSERA_HOSTS: 'tickets.example.org,other.example.org',
    TESSERA_PORTAL_URL: 'https://portal.example.org',
  };
  const names =
    /is not for other\.example\.org.*\n.*is not for portal\.example\.org, .*DNS:tickets\.example\.org/;
  assert.match(
    await look('warning', named),
    new RegExp(`${names.source}.*\\n.*private key .*mode 644.*chmod 600`),
  );
  chmodSync(files.key, 0o600);
  writeFileSync(
    files.cert,
    readFileSync(files.cert, 'utf8').split(/(?<=END CERTIFICATE-----\n)/)[0] as string,
  );
  assert.match(await look('warning'), /holds no certificate of an intermediate authority/);
  appendFileSync(files.cert, readFileSync(certificateFiles(t).ca));
  assert.match(await look('warning'), /certificate 2 did not issue certificate 1/);
  assert.match(
    await look('fault', { TESSERA_TLS_KEY: certificateFiles(t).key }),
    /does not belong to the first/,
  );
});

test('a certificate that has expired, or will before it is renewed, is found', async (t) => {
  const { env } = await wellSetUp(t);
  const files = nearlyExpired(t);
  const at = async (days: number) => {
    const { now } = Date;
    t.mock.method(Date, 'now', () => now() + days * 86_400_000);
    const { of } = await examine({
      ...env,
      ...tlsSettings(files),
      TESSERA_SHADOW: 'https://old',
      TESSERA_SHADOW_CA: files.cert,
    });
    t.mock.restoreAll();
    return of;
  };
  assert.deepEqual((await at(0))('certificate', 'warning'), []);
  assert.match((await at(0.9))('certificate', 'warning').join(), /expires at .*: renew it/);
  const later = await at(2);
  assert.match(later('certificate', 'fault').join(), /expired at .*: put a new one there/);
  assert.match(later('certificate', 'warning').join(), /^TESSERA_SHADOW_CA: a certificate .*expired/);
});

test('a directory is walked through, and each wrong step is a fault', {
  skip: whyNoSlapd() ?? false,
}, async (t) => {
  const slapd = await Slapd.start({ entries: [person('anna')] });
  t.after(() => slapd.remove());
  const { data, env } = await wellSetUp(t);
  const password = join(data, 'reader');
  writeFileSync(password, READER_PASSWORD, { mode: 0o600 });
  const directory = {
    ...env,
    TESSERA_LDAP_URLS: slapd.url,
    TESSERA_LDAP_PLAIN_TEXT: 'true',
    TESSERA_LDAP_BIND_DN: READER,
    TESSERA_LDAP_BIND_PASSWORD_FILE: password,
    TESSERA_LDAP_USER_BASE: USERS,
  };
  assert.match((await examine(directory)).of('directory', 'ok').join(), /^\d steps are right/);
  const { of } = await examine({ ...directory, TESSERA_LDAP_USER_BASE: dnOf('gone') });
  assert.match(of('directory', 'fault').join(), /^searches, user base: /);
});

test('an identity provider is asked, and what is wrong there is a fault', async (t) => {
  const acme = await startIdentityProvider(t);
  const { data, env } = await wellSetUp(t);
  writeFileSync(join(data, 'secret'), 'of a test', { mode: 0o600 });
  acme.register({
    client_id: 'tessera',
    client_secret: 'of a test',
    redirect_uris: ['https://tickets.example.org/portal/signed-in/acme'],
  });
  const look = async (clientId: string) => {
    const provider = { id: 'acme', name: 'Acme', issuer: acme.issuer, clientId, clientSecretFile: 'secret' };
    const file = join(data, 'providers.json');
    writeFileSync(file, JSON.stringify({ providers: [provider] }));
    return examine({ ...env, TESSERA_PROVIDERS: file, TESSERA_PORTAL_URL: 'https://tickets.example.org' });
  };
  assert.match((await look('tessera')).of('providers', 'ok').join(), /^acme: \d steps are right$/);
  assert.match(
    (await look('tesera')).of('providers', 'fault').join(),
    /^acme: it does not accept this client/,
  );
});
