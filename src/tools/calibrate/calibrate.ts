import { availableParallelism, cpus } from 'node:os';
import { Command } from 'commander';
import type { HashCost } from '../../core/identity/password-hash.ts';
import { hashCostIn } from '../../core/settings/derived.ts';
import { settingsFor } from '../../faces/cli/context.ts';
import { type PrintedRow, printList } from '../../faces/cli/print.ts';
import { ProgressBar } from '../../faces/cli/progress.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { costsBeside, type HashFinding, isSame, measureHash } from './hashes.ts';
import { measureValidations, type ValidationFinding } from './validations.ts';

/** Milliseconds of the measurement of each hash cost, and of validations. */
const LENGTH = { hash: 400, validations: 1_500 };

/** Rounds to three digits: a short measurement is no more exact. */
const rounded = (value: number) => Number(value.toPrecision(3));

function hashRow({ cost, perSecond, each, memoryAtOnce }: HashFinding, set: HashCost): PrintedRow {
  return {
    memory: cost.memory,
    passes: cost.passes,
    lanes: cost.lanes,
    'logins/s': rounded(perSecond),
    'ms each': rounded(each),
    'MiB at once': rounded(memoryAtOnce),
    set: isSame(cost, set) ? 'in effect' : undefined,
  };
}

async function printFindings(
  terminal: Terminal,
  hashes: readonly HashFinding[],
  set: HashCost,
  { perSecond, p50, p99, connections, logLevel }: ValidationFinding,
): Promise<void> {
  const { stdout } = terminal;
  stdout.write(`${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}, `);
  stdout.write(`Node ${process.version}\n\nLogins, as many hashes at a time as there are cores:\n`);
  const rows = hashes.map((finding) => hashRow(finding, set));
  await printList(terminal, Object.keys(rows[0] ?? {}), [rows], false);
  stdout.write(`\nValidations by one process, asked on ${connections} connections by this one: `);
  stdout.write(`${rounded(perSecond)}/s, half of them within ${rounded(p50)} ms, `);
  stdout.write(`99 of 100 within ${rounded(p99)} ms (TESSERA_LOG_LEVEL=${logLevel})\n`);
}

function asJson(hashes: readonly HashFinding[], validations: ValidationFinding): string {
  const machine = {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim(),
    node: process.version,
  };
  return `${JSON.stringify({ machine, hashes, validations }, null, 2)}\n`;
}

/** `tessera calibrate` */
export function calibrateCommand(terminal: Terminal): Command {
  return new Command('calibrate')
    .description('Measure for a few seconds what this machine gives: logins and validations a second.')
    .option('--config <file>', 'Settings file, a JSON object.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const costs = costsBeside(hashCostIn(settings));
      const bar = new ProgressBar(terminal);
      const hashes: HashFinding[] = [];
      try {
        for (const cost of costs) {
          bar.show(hashes.length / (costs.length + 1), 'password hashes');
          hashes.push(await measureHash(cost, LENGTH.hash));
        }
        bar.show(costs.length / (costs.length + 1), 'validations');
        const validations = await measureValidations(settings.logLevel, LENGTH.validations, terminal.env);
        bar.clear();
        if (options.json === true) terminal.stdout.write(asJson(hashes, validations));
        else await printFindings(terminal, hashes, hashCostIn(settings), validations);
      } finally {
        bar.clear();
      }
    });
}
