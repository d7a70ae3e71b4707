import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tool, whyNoLoad } from './load/tool.ts';
import { type Options, readOptions, WrongUsage } from './options.ts';
import { machine } from './report/machine.ts';
import { asMarkdown, asText, type Page, type Part, writePart } from './report/page.ts';
import { figures, page, type Unmeasured } from './report/table.ts';
import { rows } from './rows/all.ts';
import type { Bench, Line, Row } from './rows/row.ts';
import { scale } from './scale/main.ts';
import { dataFolders } from './seeding/data-folders.ts';

const USAGE = `npm run bench -- [ROW …] [--rounds 7] [--seconds 5] [--tickets 1000000] [--many 10000000] [--report] [--json FILE]
npm run bench -- --peers [--rounds 7] [--seconds 5] [--report] [--json FILE]
--report writes the table into docs/performance.md as well
rows: ${rows.map(({ name }) => name).join(', ')}
npm run bench -- scale [--engines sqlite,postgres,redis] [--tickets 10000,1000000] [--seconds 5]
npm run bench -- scale people [--users 1000000] [--groups 10000] [--store sqlite|postgres] [--data FOLDER]`;

async function measured(
  row: Row,
  bench: Omit<Bench, 'folder' | 'dataFolder'>,
  folder: string,
  dataFolder: (place: string, tickets?: number) => Promise<string>,
): Promise<readonly (Line | Unmeasured)[]> {
  const place = mkdtempSync(join(folder, row.name));
  try {
    return await row.measure({
      ...bench,
      folder: place,
      dataFolder: (tickets) => dataFolder(place, tickets),
    });
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n');
    return [{ name: row.name, why }];
  } finally {
    rmSync(place, { recursive: true });
  }
}

const say = (progress: string) => process.stderr.write(`${progress}\n`);

/** Says why nothing can be measured; gives the exit code. */
function refuse(why: string): number {
  say(`Nothing was measured: ${why}.`);
  return 1;
}

/** Prints a table; writes it into the report with --report, and its figures into a file with --json. */
function tell(options: Options, part: Part, found: Page, figuresOf: () => string): void {
  process.stdout.write(`\n${asText(found)}`);
  if (options.report) writePart(part, asMarkdown(found));
  if (options.json !== undefined) writeFileSync(options.json, figuresOf());
}

/** Measures the rows named in the options; gives the exit code. */
async function runRows(options: Options, folder: string): Promise<number> {
  const about = { at: new Date(), machine: machine(), load: tool.name, options };
  const dataFolder = dataFolders(folder, options.tickets, say);
  const lines: (Line | Unmeasured)[] = [];
  for (const name of options.rows) {
    const row = rows.find((candidate) => candidate.name === name) as Row;
    lines.push(...(await measured(row, { ...options, say }, folder, dataFolder)));
  }
  const findings = { ...about, lines };
  tell(options, 'rows', page(findings), () => figures(findings));
  return lines.some((line) => 'why' in line) ? 1 : 0;
}

/** Measures other services beside Tessera; gives the exit code. */
async function runPeers(options: Options, folder: string): Promise<number> {
  const { measurePeers, peersPage, whyNoPeers } = await import('./peers/peers.ts');
  const why = whyNoPeers();
  if (why !== undefined) return refuse(why);
  const about = { at: new Date(), machine: machine(), load: tool.name, options };
  const findings = await measurePeers({ ...options, folder, say });
  tell(options, 'peers', peersPage({ ...about, ...findings }), () => {
    return `${JSON.stringify({ ...about, ...findings }, null, 2)}\n`;
  });
  return findings.unmeasured.length === 0 ? 0 : 1;
}

async function run(words: readonly string[], folder: string): Promise<number> {
  const options = readOptions(
    words,
    rows.map(({ name }) => name),
  );
  const why = whyNoLoad();
  if (why !== undefined) return refuse(why);
  return options.peers ? runPeers(options, folder) : runRows(options, folder);
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
