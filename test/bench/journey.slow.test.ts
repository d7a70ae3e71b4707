import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../bench/journey/main.ts', import.meta.url));

test('a journey names the files that a validation runs through, in the order of their first calls', async () => {
  const { stdout } = await run(process.execPath, [MAIN, 'validate', '--functions']);
  const lines = stdout.trimEnd().split('\n');
  const way = ['src/http/handle.ts', 'src/gate/execute.ts', 'src/operations/loginticket.get.ts'];
  const at = way.map((file) => lines.indexOf(file));
  assert.ok(at[0] !== undefined && at[0] >= 0, stdout);
  assert.deepEqual(
    at,
    at.toSorted((a, b) => a - b),
    stdout,
  );
  assert.ok(lines.includes('    perform'), stdout);
  const files = lines.filter((line) => line.startsWith('src/')).length;
  assert.match(lines.at(-1) ?? '', new RegExp(`^validate \\(sqlite\\): ${files} files, \\d+ functions`));
  assert.ok(
    !lines.includes('src/operations/login.post.ts'),
    'code that runs before the request does not count',
  );
});

test('an unknown journey is refused, and the message lists the known ones', async () => {
  await assert.rejects(
    run(process.execPath, [MAIN, 'nowhere']),
    /Usage: .*validate\|login\|logout\|actiondefs/s,
  );
});
