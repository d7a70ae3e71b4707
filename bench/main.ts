import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolders } from './data-folders.ts';
import { tool } from './load/load.ts';
import { machine } from './machine.ts';
import { readOptions, WrongUsage } from './options.ts';
import type { Bench, Line, Row } from './row.ts';
import { rows } from './rows/all.ts';
import { scale } from './scale/main.ts';
import { figures, table, type Unmeasured } from './table.ts';

const USAGE = `npm run bench -- [ROW …] [--rounds 7] [--seconds 5] [--tickets 1000000] [--json FILE]
rows: ${rows.map(({ name }) => name).join(', ')}
npm run bench -- scale [--engines sqlite,postgres,redis] [--tickets 10000,1000000] [--seconds 5]`;

async function measured(
  row: Row,
  bench: Omit<Bench, 'folder' | 'dataFolder'>,
  folder: string,
  dataFolder: (place: string) => Promise<string>,
): Promise<readonly (Line | Unmeasured)[]> {
  const place = mkdtempSync(join(folder, row.name));
  try {
    return await row.measure({ ...bench, folder: place, dataFolder: () => dataFolder(place) });
  } catch (error) {
    return [{ name: row.name, why: (error as Error).message }];
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** Measures the rows that are asked for and prints the table; gives the exit code. */
async function run(words: readonly string[], folder: string): Promise<number> {
  const options = readOptions(
    words,
    rows.map(({ name }) => name),
  );
  const about = { at: new Date(), machine: machine(), load: tool.name, options };
  const say = (progress: string) => process.stderr.write(`${progress}\n`);
  const dataFolder = dataFolders(folder, options.tickets, say);
  const lines: (Line | Unmeasured)[] = [];
  for (const name of options.rows) {
    const row = rows.find((candidate) => candidate.name === name) as Row;
    lines.push(...(await measured(row, { ...options, say }, folder, dataFolder)));
  }
  const findings = { ...about, lines };
  process.stdout.write(`\n${table(findings)}`);
  if (options.json !== undefined) writeFileSync(options.json, figures(findings));
  return lines.some((line) => 'why' in line) ? 1 : 0;
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
try {
  const [first, ...others] = process.argv.slice(2);
  process.exitCode = await (first === 'scale' ? scale(others, folder) : run(process.argv.slice(2), folder));
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  process.stderr.write(`${error.message}\n${USAGE}\n`);
  process.exitCode = 2;
}
