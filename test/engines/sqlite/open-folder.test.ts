import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Use } from '../../../src/core/storage/opened-store.ts';
import { readSettings } from '../../../src/main/settings.ts';
import { openStore } from '../../../src/main/store.ts';
import { temporaryFolder } from '../../service/start.ts';

async function warningsFor(data: string, use: Use = 'service'): Promise<readonly string[]> {
  const { settings } = readSettings({ flags: {}, env: { TESSERA_DATA: data } });
  const { store, warnings = [] } = await openStore(settings, use);
  await store.close();
  return warnings;
}

test('a service warns of a data folder that others may use, with the mend', async (t) => {
  const data = join(await temporaryFolder(t), 'data');
  await mkdir(data);
  for (const mode of [0o755, 0o750, 0o701, 0o770]) {
    await chmod(data, mode);
    const [warning = '', ...more] = await warningsFor(data);
    assert.equal(more.length, 0);
    assert.ok(warning.includes(`(mode ${mode.toString(8)})`), warning);
    assert.ok(warning.endsWith(`close it with chmod 700 '${data}'`), warning);
  }
  assert.deepEqual(await warningsFor(data, 'command'), []);
});

test('it does not warn of one that is closed, nor of one that it makes itself', async (t) => {
  const folder = await temporaryFolder(t);
  assert.deepEqual(await warningsFor(folder), []);
  assert.deepEqual(await warningsFor(join(folder, 'new')), []);
});
