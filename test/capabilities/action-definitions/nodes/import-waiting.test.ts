import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { smallDisk } from '../../../engines/sqlite/disk.ts';
import { run } from '../../../faces/cli/command.ts';
import { temporaryFolder } from '../../../service/start.ts';
import { text } from './command-line.ts';
import { aLine } from './import-lines.ts';

/** The error output of an import of these lines whose temporary files lie there. It exits with 1. */
async function saidBy(t: TestContext, TMPDIR: string, ...lines: readonly string[]): Promise<string> {
  const env = { TMPDIR, TESSERA_DATA: await temporaryFolder(t) };
  const { stdout, stderr, code } = await run('tessera', ['nodes', 'import', '-'], {
    env,
    stdin: text(...lines),
  });
  assert.deepEqual({ stdout, code }, { stdout: '', code: 1 });
  return stderr;
}

test('an import that can make no folder for waiting lines says so, with the mend', async (t) => {
  assert.match(
    await saidBy(t, '/nowhere'),
    /^There is no place for temporary files: ENOENT.*: name a folder in TMPDIR that has some\.\n$/,
  );
});

test('an import whose waiting lines fill the disk says so, with the mend', async (t) => {
  const disk = smallDisk(t, 64);
  if (disk === undefined) return;
  const name = (n: number) => `${n} ${'x'.repeat(1_000)}`;
  const waiting = Array.from({ length: 200 }, (_, n) => aLine(`n${n}`, { name: name(n), parent: 'to come' }));
  assert.match(
    await saidBy(t, disk.place, ...waiting),
    /^There is no place for temporary files: ENOSPC.*: name a folder in TMPDIR that has some\.\n$/,
  );
});
