import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../src/core/make-folder.ts';
import { PATIENCE } from '../service/patience.ts';
import { temporaryFolder } from '../service/start.ts';

test('a folder is made with those above it, for this user alone, and one that is there stays as it is', async (t) => {
  const there = join(await temporaryFolder(t), 'there');
  mkdirSync(there);
  chmodSync(there, 0o750);
  makeFolder(join(there, 'above', 'data'));
  makeFolder(there);
  const modeOf = (...names: string[]) => statSync(join(there, ...names)).mode & 0o777;
  assert.deepEqual([modeOf(), modeOf('above'), modeOf('above', 'data')], [0o750, 0o700, 0o700]);
});

test('a file in its place, or above it, is the system’s error', async (t) => {
  const file = join(await temporaryFolder(t), 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolder(file), { code: 'EEXIST' });
  assert.throws(() => makeFolder(join(file, 'data')), { code: 'ENOTDIR' });
});

test('where the folder that one works in was removed, it fails at once', async (t) => {
  const removed = join(await temporaryFolder(t), 'removed');
  mkdirSync(removed);
  const { href } = new URL('../../src/core/make-folder.ts', import.meta.url);
  const program = `
    import { rmdirSync } from 'node:fs';
    import { makeFolder } from '${href}';
    rmdirSync('${removed}');
    try { makeFolder('./data') } catch (error) { console.log(error.code) }
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: removed,
    encoding: 'utf8',
    timeout: PATIENCE,
  });
  assert.equal(stdout, 'ENOENT\n');
});
