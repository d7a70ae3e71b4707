import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SettingsFaulty } from '../../../../src/core/settings/read.ts';
import { readSettings } from '../../../../src/main/settings.ts';
import { startTestService, temporaryFolder } from '../../../service/start.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings({ flags: {}, env });
    return [];
  } catch (error) {
    assert.ok(error instanceof SettingsFaulty);
    return error.faults;
  }
}

test('the old server is asked over https, and over plain http on this machine alone', () => {
  for (const url of [
    'https://old/alfresco',
    'http://127.0.0.1:8080/alfresco',
    'http://[::1]/alfresco',
    'http://localhost/a',
  ])
    assert.deepEqual(faultsOf({ TESSERA_SHADOW: url }), [], url);
  for (const url of [
    'http://old/alfresco',
    'http://10.0.0.1/alfresco',
    'http://127.0.0.1.example.org/alfresco',
  ])
    assert.match(
      faultsOf({ TESSERA_SHADOW: url })[0] ?? '',
      /^TESSERA_SHADOW: plain http.*use https.*TESSERA_SHADOW_CA/,
    );
  assert.deepEqual(faultsOf({ TESSERA_SHADOW: 'https://user:secret@old/alfresco' }), [
    'TESSERA_SHADOW: is no repository URL, since it holds a user name or a password: write one such as https://content.example.org/alfresco',
  ]);
  for (const url of ['ftp://old', 'old/alfresco', 'https://old/alfresco?x=1']) {
    const [fault = ''] = faultsOf({ TESSERA_SHADOW: url });
    assert.match(fault, /^TESSERA_SHADOW: is no repository URL: write one/);
  }
});

test('certificates without an old server, and a file that cannot be read, are refused with the mend', async (t) => {
  assert.match(faultsOf({ TESSERA_SHADOW_CA: 'ca.pem' })[0] ?? '', /^TESSERA_SHADOW_CA: .*TESSERA_SHADOW/);
  const env = { TESSERA_SHADOW: 'https://old/alfresco', TESSERA_SHADOW_CA: '/none/ca.pem' };
  await assert.rejects(startTestService(t, env), /TESSERA_SHADOW_CA: the file cannot be read/);
  const file = join(await temporaryFolder(t), 'ca.pem');
  for (const text of ['', 'MIIB', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n']) {
    writeFileSync(file, text);
    const service = startTestService(t, { ...env, TESSERA_SHADOW_CA: file });
    await assert.rejects(service, /TESSERA_SHADOW_CA: the file holds no certificate/);
  }
});
