import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { test } from 'node:test';
import { BIN, environment } from '../../../faces/cli/command.ts';
import { CTRL_C, onTerminal } from '../../../faces/cli/terminal.ts';
import { temporaryFolder } from '../../../service/start.ts';

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

test('an import whose connection hangs up leaves none behind either', async (t) => {
  const [TMPDIR, TESSERA_DATA] = [await temporaryFolder(t), await temporaryFolder(t)];
  const watcher = watch(TMPDIR);
  t.after(() => watcher.close());
  const made = once(watcher, 'change');
  const env = environment({ TMPDIR, TESSERA_DATA });
  const command = spawn(`${BIN}/tessera`, ['nodes', 'import', '-'], { env });
  const ended = once(command, 'exit');
  await made;
  command.kill('SIGHUP');
  assert.deepEqual(await ended, [null, 'SIGHUP']);
  assert.deepEqual(readdirSync(TMPDIR), []);
});
