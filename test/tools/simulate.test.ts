import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../tools/simulate/main.ts', import.meta.url));

/** Runs the simulation in a process of its own, since it replaces the time there. Gives its exit code and its lines. */
function simulate(...words: string[]): Promise<{ code: number | undefined; lines: string[] }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...words], (error, output, told) => {
      const lines = `${output}${told}`.trimEnd().split('\n');
      resolve({ code: error === null ? 0 : (error as { code?: number }).code, lines });
    });
  });
}

test('on memory the same seeds take the same steps again, and nothing is found', async () => {
  const twice = () => simulate('--seed', '1', '--seeds', '4');
  const [first, second] = await Promise.all([twice(), twice()]);
  assert.equal(first.code, 0, first.lines.join('\n'));
  assert.deepEqual(first, second);
  assert.match(first.lines.at(-1) ?? '', /^4 seeds, 40 runs, [\d,]+ steps, .* all steps: [0-9a-f]{16}$/);
});

/** Faults that are planted, and the operation that must not have this answer. */
const PLANTED: Readonly<Record<string, RegExp>> = {
  'late-cache': /validate at [ABC] → yes .*\(impossible\)/,
  'swallowed-end': /log-out at [ABC] → yes .*validate at [ABC] → yes .*\(impossible\)/,
};

for (const [fault, expected] of Object.entries(PLANTED))
  test(`a planted fault is found and made small: ${fault}`, async () => {
    const seeds = ['--seed', '1', '--seeds', '60', '--tries', '250'];
    const { code, lines } = await simulate(...seeds, '--plant', fault);
    assert.equal(code, 1, lines.join('\n'));
    const commands = Number(/^FAILED with (\d+) commands:$/.exec(lines[1] ?? '')?.[1]);
    assert.ok(commands <= 20, lines.join('\n'));
    assert.match(lines[2 + commands] ?? '', /^no order explains /);
    assert.match(lines[2 + commands] ?? '', expected);
    assert.doesNotMatch(lines.join('\n'), /TICKET_/);
    rmSync(/^picture: (.*)$/.exec(lines[3 + commands] ?? '')?.[1] ?? '');
    const [, repeat = ''] = /^repeat: npm run simulate -- (.*)$/.exec(lines[4 + commands] ?? '') ?? [];
    assert.match(repeat, new RegExp(`^--store memory --seed \\d+ --seeds 1 --plant ${fault}$`));
  });

test('an answer of the store that contradicts itself is found, whatever order explains it', async () => {
  const seeds = ['--seed', '1', '--seeds', '20', '--tries', '20'];
  const { code, lines } = await simulate(...seeds, '--plant', 'crossed-answers');
  assert.equal(code, 1, lines.join('\n'));
  assert.match(lines.join('\n'), /InvariantViolated/);
  assert.doesNotMatch(lines.join('\n'), /TICKET_/);
});

test('nothing is found on SQLite', async () => {
  const { code, lines } = await simulate('--store', 'sqlite', '--seed', '1', '--seeds', '1');
  assert.equal(code, 0, lines.join('\n'));
  assert.match(lines.at(-1) ?? '', /^1 seeds, 10 runs, /);
});

test('what cannot be read on the command line is refused with the usage', async () => {
  const { code, lines } = await simulate('--store', 'paper');
  assert.equal(code, 2);
  assert.match(lines[0] ?? '', /^--store takes memory\|sqlite\|postgres\|redis, and "paper" is none$/);
  assert.match(lines.join('\n'), /^npm run simulate -- /m);
});
