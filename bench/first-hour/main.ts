import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run } from '../../test/faces/cli/command.ts';
import { onCopyOfMachine } from '../../test/publish/another-machine.ts';
import { freePort } from '../../test/service/free-port.ts';
import { HEAD, rowOf, STEPS } from './steps.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const RUN = 'bin/node --test --test-reporter=dot';

/** Plays lines in a folder. Throws with what they said if they fail. */
async function play(
  lines: string,
  { folder, port, isOnCopy = false }: { folder: string; port: number; isOnCopy?: boolean },
) {
  // The programs of the machine, as a newcomer has them: npm under its own Node. `npm run` puts those of the checkout first.
  const folders = (process.env.PATH ?? '').split(':').filter((each) => !each.startsWith(CHECKOUT));
  const settings = {
    PATH: folders.join(':'),
    CHECKOUT,
    FOLDER: folder,
    TESSERA_PORT: String(port),
    TESSERA_METRICS_PORT: '0',
  };
  const given = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'\n`);
  const { stdout, stderr, code } = isOnCopy
    ? await onCopyOfMachine(given.join('') + lines, folder)
    : await run('sh', ['-euc', given.join('') + lines], { cwd: folder, patience: 600_000 });
  if (code !== 0) throw new Error(`${lines}\n${stdout}${stderr}`);
}

const { played } = parseArgs({ options: { played: { type: 'boolean', default: false } } }).values;

/** Plays each step from an empty folder, and prints what it took, as a table of Markdown; with `--played`, those alone that are no tests. */
process.stdout.write(HEAD);
for (const step of played ? STEPS.filter((each) => !('test' in each)) : STEPS) {
  const lines = 'test' in step ? `cd "$CHECKOUT" && ${RUN} ${step.test}` : step.lines;
  const isOnCopy = 'isOnCopy' in step;
  const folder = mkdtempSync(join(tmpdir(), 'tessera-first-hour-'));
  try {
    const port = await freePort();
    if (step.before !== undefined) await play(step.before, { folder, port });
    const begun = performance.now();
    await play(lines, { folder, port, isOnCopy });
    process.stdout.write(rowOf(step, performance.now() - begun));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
