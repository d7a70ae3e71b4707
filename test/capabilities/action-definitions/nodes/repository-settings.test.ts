import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SettingsFaulty } from '../../../../src/core/settings/read.ts';
import { readSettings } from '../../../../src/main/settings.ts';
import { startTestService, temporaryFolder } from '../../../service/start.ts';

const ACCOUNT = { TESSERA_NODES_USER: 'reader', TESSERA_NODES_PASSWORD: 'secret' };

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings({ flags: {}, env });
    return [];
  } catch (error) {
    if (error instanceof SettingsFaulty) return error.faults;
    throw error;
  }
}

test('plain http is for this machine alone, unless a setting allows it', () => {
  for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:80', '127.9.9.9'])
    assert.deepEqual(faultsOf({ ...ACCOUNT, TESSERA_NODES: `http://${host}/alfresco` }), [], host);
  for (const host of [
    'content.example.org',
    '10.0.0.1',
    '[2001:db8::1]',
    'localhost.example.org',
    '127.0.0.1.example.org',
  ]) {
    const env = { ...ACCOUNT, TESSERA_NODES: `http://${host}/alfresco` };
    assert.match(
      faultsOf(env).join(),
      /^TESSERA_NODES: plain http .*https.*TESSERA_NODES_PLAIN_HTTP=true/,
      host,
    );
    assert.deepEqual(faultsOf({ ...env, TESSERA_NODES_PLAIN_HTTP: 'true' }), [], host);
    assert.deepEqual(faultsOf({ ...env, TESSERA_NODES: `https://${host}/alfresco` }), [], host);
  }
});

test('a repository needs an account: user and password are named when they are missing, both at once', () => {
  const faults = faultsOf({ TESSERA_NODES: 'http://content.example.org/alfresco' });
  assert.equal(faults.length, 3);
  for (const name of ['TESSERA_NODES', 'TESSERA_NODES_USER', 'TESSERA_NODES_PASSWORD_FILE'])
    assert.ok(
      faults.some((fault) => fault.startsWith(`${name}: `)),
      name,
    );
});

test('without a repository no account is asked for', () => {
  assert.deepEqual(faultsOf({}), []);
  assert.deepEqual(faultsOf({ TESSERA_NODES: '' }), []);
});

test('what is no URL of a repository is refused', () => {
  for (const url of [
    ...[
      'content.example.org',
      'ftp://content.example.org',
      '/alfresco',
      'https://user:pw@content.example.org',
    ],
    ...['https://content.example.org/?a=b', 'https://content.example.org/#x', 'file:///etc'],
  ])
    assert.match(
      faultsOf({ ...ACCOUNT, TESSERA_NODES: url }).join(),
      /^TESSERA_NODES: .*no repository URL/,
      url,
    );
});

test('a slash at the end of the URL does not matter', () => {
  const { settings } = readSettings({
    flags: {},
    env: { ...ACCOUNT, TESSERA_NODES: 'https://content.example.org/alfresco//' },
  });
  assert.equal(settings.nodes, 'https://content.example.org/alfresco');
});

test('the password comes from a file, and is shown by nothing', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'password');
  writeFileSync(file, 'from the file\n');
  const { settings, inEffect } = readSettings({
    flags: {},
    env: {
      TESSERA_NODES: 'https://content.example.org/alfresco',
      TESSERA_NODES_USER: 'reader',
      TESSERA_NODES_PASSWORD_FILE: file,
    },
  });
  assert.equal(settings.nodesPassword, 'from the file');
  assert.ok(!JSON.stringify(inEffect).includes('from the file'));
});

test('the start warns that every user can learn what the account may see, and names the account', async (t) => {
  const { lines } = await startTestService(t, { ...ACCOUNT, TESSERA_NODES: 'http://127.0.0.1:9/alfresco' });
  const warning = lines.find((line) => line.includes('every user'));
  assert.ok(warning !== undefined);
  assert.equal(JSON.parse(warning).level, 40);
  assert.equal(JSON.parse(warning).user, 'reader');
  assert.ok(!lines.join().includes('secret'));
});
