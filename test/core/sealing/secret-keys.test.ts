import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { secretKeysOf } from '../../../src/core/sealing/secret-keys.ts';
import { readSettings } from '../../../src/main/settings.ts';
import { temporaryFolder } from '../../service/start.ts';

test('only a service with its own embedded store makes the file of keys', async (t) => {
  const file = join(await temporaryFolder(t), 'secret-keys');
  const settingsOf = (env: Record<string, string>) =>
    readSettings({ flags: {}, env: { TESSERA_SECRET_KEYS_FILE: file, ...env } }).settings;
  const embedded = settingsOf({});
  const shared = settingsOf({
    TESSERA_DATABASE: 'postgres://tessera@localhost/tessera',
    TESSERA_THROTTLE_KEY_FILE: join(file, '../throttle-key'),
  });
  assert.throws(() => secretKeysOf(embedded, 'command', 0), { name: 'SettingsFaulty' });
  assert.throws(() => secretKeysOf(shared, 'service', 0), { name: 'SettingsFaulty' });
  assert.ok(!existsSync(file), 'instances that share a database need the same keys');
  const keys = secretKeysOf(embedded, 'service', 0);
  assert.equal(keys.length, 1);
  assert.deepEqual(secretKeysOf(shared, 'command', 0), keys);
});
