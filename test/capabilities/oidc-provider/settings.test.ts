import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../../src/main/settings.ts';

const settingsOf = (env: Record<string, string>) => readSettings({ flags: {}, env }).settings;
const issuerOf = (TESSERA_ISSUER: string) => settingsOf({ TESSERA_ISSUER }).issuer;

test('an issuer is an address by https, or of this machine, with the path of a realm', () => {
  assert.equal(issuerOf('https://id.example.org'), 'https://id.example.org/auth/realms/alfresco');
  assert.equal(issuerOf('https://id.example.org/realms/main/'), 'https://id.example.org/realms/main');
  assert.equal(issuerOf('http://localhost:8080'), 'http://localhost:8080/auth/realms/alfresco');
  for (const text of [
    'id.example.org',
    'http://id.example.org',
    'https://id.example.org/?a',
    'https://a@b.example',
    'https://id.example.org/portal/x',
  ])
    assert.throws(() => issuerOf(text), /TESSERA_ISSUER: it is no issuer/, text);
  assert.throws(() => issuerOf('http://id.example.org'), /write https, since http is for localhost only/);
});

test('an issuer needs the pages for people, and on a shared database the file of the keys that seal', () => {
  const TESSERA_ISSUER = 'https://id.example.org';
  assert.throws(() => settingsOf({ TESSERA_ISSUER, TESSERA_PORTAL: 'false' }), /TESSERA_PORTAL=true/);
  const shared = {
    TESSERA_ISSUER,
    TESSERA_DATABASE: 'postgres://tessera@localhost/tessera',
    TESSERA_THROTTLE_KEY_FILE: '/etc/tessera/throttle-key',
  };
  assert.throws(() => settingsOf(shared), /TESSERA_SECRET_KEYS_FILE/);
  assert.ok(settingsOf({ ...shared, TESSERA_SECRET_KEYS_FILE: '/etc/tessera/secret-keys' }).issuer);
});
