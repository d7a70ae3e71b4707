import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { test } from 'node:test';
import { CTRL_C, onTerminal } from '../cli/terminal.ts';
import { temporaryFolder } from '../service/start.ts';

test('an import that is interrupted leaves no waiting lines behind', async (t) => {
  const [TMPDIR, TESSERA_DATA] = [await temporaryFolder(t), await temporaryFolder(t)];
  const watcher = watch(TMPDIR);
  t.after(() => watcher.close());
  const made = once(watcher, 'change');
  const command = onTerminal(t, 'tessera nodes import -', { env: { TMPDIR, TESSERA_DATA } });
  await made;
  command.type(CTRL_C);
  assert.notEqual(await command.ended, 0);
  assert.deepEqual(readdirSync(TMPDIR), []);
});
