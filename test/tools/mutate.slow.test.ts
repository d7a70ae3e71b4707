import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The first line with this text, as `file:line`. */
function target(file: string, text: string): string {
  const lines = readFileSync(ROOT + file, 'utf8').split('\n');
  return `${file}:${lines.findIndex((line) => line.includes(text)) + 1}`;
}

test('a caught mutant is counted, and a mutant that no test catches is shown', async () => {
  const caught = target('src/core/domain/client.ts', 'if (!NAME.test(name))');
  const untested = target('src/core/domain/event.ts', 'return Math.floor(');
  const words = [caught, untested, '--tests', 'test/core/domain/client.test.ts', '--at-once', '1'];
  const { stdout } = await promisify(execFile)('bin/node', ['tools/mutate/main.ts', ...words], { cwd: ROOT });
  assert.deepEqual(stdout.split('\n'), [
    `${untested}  at / 60_000 → at * 60_000`,
    '3 mutants: 2 caught, 1 survived',
    '',
  ]);
});
