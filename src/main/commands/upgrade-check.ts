import { statfsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Settings } from '../../core/settings/table.ts';
import { visibleLines } from '../../core/visible.ts';
import { type Rehearsal, rehearseMigration } from '../../engines/backups.ts';
import { migrationsOf, rehearseOnCopy } from '../../engines/store.ts';
import { settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../faces/cli/failure.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { withBar } from './backup.ts';

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;

/** How an administrator goes back from a schema that only newer versions read. */
const BACK = 'The version before does not start on the newer schema.';

function embeddedText(
  { milliseconds, bytes, keptAs }: Rehearsal,
  { data, migrationCopy }: Settings,
): string[] {
  const { bavail, bsize } = statfsSync(data);
  const took = `On a copy of this data that took ${(milliseconds / 1_000).toFixed(1)} s. A start answers nobody meanwhile.`;
  if (!migrationCopy)
    return [took, `${BACK} TESSERA_MIGRATION_COPY is false: write a backup first, with 'tessera backup'.`];
  return [
    took,
    `A start first keeps the database as ${keptAs}: ${megabytes(bytes)}, of ${megabytes(bavail * bsize)} that are free.`,
    `${BACK} To go back, stop the service and run with that version: tessera restore ${keptAs} --replace`,
  ];
}

const POSTGRES = [
  'Instances of the version before go on meanwhile. They wait for tables that a step locks: for moments, but at the steps that docs/how-to/newer-version.md names.',
  `${BACK} Make a dump first, with pg_dump: to go back, restore it.`,
];
const NO_COPY =
  'How long that takes on this data a copy tells: restore a dump into another database, and name it with --copy.';

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Tries the migrations on the copy at `url`, which has to be of the same schema as the database. */
async function copyText(url: string, missing: readonly string[], settings: Settings): Promise<string> {
  const { bytes, steps } = await rehearseOnCopy(url, settings);
  if ([...steps.keys()].join() !== missing.join())
    throw new CommandRefused('The database of --copy has another schema: restore a dump of now.');
  const times = [...steps].sort(([, one], [, other]) => other - one);
  const whole = times.reduce((sum, [, took]) => sum + took, 0);
  const [longest = '', most = 0] = times[0] ?? [];
  return `On the copy, of ${megabytes(bytes)}, that took ${seconds(whole)}; the longest was ${longest}, with ${seconds(most)}. The copy is as it was.`;
}

/** `tessera upgrade-check` */
export function upgradeCheckCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'upgrade-check',
    'Tell what this version would change in the store, and how long that takes. Changes nothing.',
    'migrationCopy',
  )
    .option('--copy <url>', 'A database in PostgreSQL that a dump was restored into, to try it on.')
    .action(async ({ copy, ...options }: { copy?: string }) => {
      const { settings } = settingsFor(options, terminal);
      if (copy !== undefined && settings.database === undefined)
        throw new WrongUsage('--copy: the embedded store is tried on a copy of its own: leave it out.');
      const say = (...lines: string[]) => terminal.stdout.write(`${visibleLines(lines.join('\n'))}\n`);
      const migrations = await migrationsOf(settings);
      const missing = migrations.filter(({ done }) => !done).map(({ name }) => name);
      if (missing.length === migrations.length)
        return void say('The store has no schema yet: a start makes it.');
      if (missing.length === 0)
        return void say('Nothing is to be migrated: the store has the schema of this version.');
      say(`This version migrates: ${missing.join(', ')}.`);
      if (settings.database !== undefined)
        return void say(copy === undefined ? NO_COPY : await copyText(copy, missing, settings), ...POSTGRES);
      const rehearsal = await withBar(terminal, 'copy', (onShare) =>
        rehearseMigration(settings.data, onShare),
      );
      if (rehearsal !== undefined) say(...embeddedText(rehearsal, settings));
    });
}
