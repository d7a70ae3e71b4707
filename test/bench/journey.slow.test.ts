import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { whyNoPostgres } from '../service/postgres.ts';
import { whyNoRedis } from '../service/redis.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../bench/journey/main.ts', import.meta.url));

test('a journey names the files that a validation runs through, in the order of their first calls', async () => {
  const { stdout } = await run(process.execPath, [MAIN, 'validate', '--functions']);
  const lines = stdout.trimEnd().split('\n');
  const way = [
    'src/core/http/handle.ts',
    'src/core/gate/execute.ts',
    'src/core/operations/loginticket.get.ts',
  ];
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
    !lines.includes('src/core/operations/login.post.ts'),
    'code that runs before the request does not count',
  );
});

const skip = whyNoPostgres() ?? whyNoRedis() ?? false;
const LIMITS = [
  { words: ['validate'], most: 32, skip: false },
  { words: ['login'], most: 49, skip: false },
  { words: ['logout', '--store', 'redis'], most: 60, skip },
  { words: ['user-page'], most: 90, skip: false },
] as const;

for (const { words, most, skip: why } of LIMITS)
  test(`${words.join(' ')} runs through at most ${most} files`, { skip: why }, async () => {
    const { stdout } = await run(process.execPath, [MAIN, ...words, '--max', String(most)]);
    assert.ok(stdout.split('\n').filter((line) => line.startsWith('src/')).length > 10, stdout);
  });

test('a journey through more files than are allowed is a failure, and prints them', async () => {
  await assert.rejects(run(process.execPath, [MAIN, 'validate', '--max', '10']), {
    code: 1,
    stdout: /^src\/core\/gate\/execute\.ts$/m,
  });
});

test('an unknown journey is refused, and the message lists the known ones', async () => {
  await assert.rejects(
    run(process.execPath, [MAIN, 'nowhere']),
    /Usage: .*validate\|login\|logout\|actiondefs/s,
  );
});
