import { type Command, Option } from 'commander';
import { secretSealer } from '../../../core/sealing/secret-keys.ts';
import { hashCostIn } from '../../../core/settings/derived.ts';
import type { Settings } from '../../../core/settings/table.ts';
import { visible } from '../../../core/visible.ts';
import { onStoreToAdd, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { CommandRefused } from '../../../faces/cli/failure.ts';
import { ImportDisplay, linesRefused } from '../../../faces/cli/import-display.ts';
import { openInput } from '../../../faces/cli/open-input.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import type { FileRecord } from './records.ts';
import type { Report } from './user-import.ts';

interface ImportOptions {
  readonly format?: 'ndjson' | 'csv' | 'keycloak';
  readonly update?: true;
  readonly withoutHash?: true;
  readonly dryRun?: true;
}

const users = (count: number) => (count === 1 ? '1 user' : `${count} users`);

/** The text at the end of an import. */
function summary({ added, updated, unchanged, withoutHash, groups }: Report, dryRun: boolean): string {
  const lines = [`${dryRun ? 'Would add' : 'Added'} ${users(added)}.`];
  if (withoutHash > 0)
    lines.push(
      `${users(withoutHash)} of these with a password that nobody knows: invite each with 'tessera users invite', or give one with 'tessera users passwd'.`,
    );
  if (updated > 0) lines.push(`${dryRun ? 'Would update' : 'Updated'} ${users(updated)}.`);
  if (groups > 0)
    lines.push(
      `${dryRun ? 'Would add or change' : 'Added or changed'} ${groups === 1 ? '1 group' : `${groups} groups`}.`,
    );
  if (unchanged > 0) lines.push(`Left ${users(unchanged)} unchanged.`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Throws if the store has no schema or an older one: opening it would make or change the schema. */
async function refuseUnmigrated({ migrationsOf }: Terminal, settings: Settings): Promise<void> {
  if ((await migrationsOf(settings)).every(({ done }) => done)) return;
  throw new CommandRefused(
    "A dry run writes nothing, and there is no store with this version's schema yet: run 'tessera migrate up' first.",
  );
}

/** `tessera users import` */
export function importCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'import',
    'Import users with the hashes of their passwords, profiles and groups.',
    'secretKeysFile',
  )
    .argument('<file>', 'File with the users, or - for standard input.')
    .addOption(
      new Option(
        '--format <format>',
        'How the file is written; by its name if left out. An export of a realm is keycloak.',
      ).choices(['ndjson', 'csv', 'keycloak']),
    )
    .option(
      '--update',
      'Replace password, state and profile of existing users. Another password ends their tickets.',
    )
    .option(
      '--without-hash',
      "Take users without a hash too: they log in once 'users passwd' gave them a password.",
    )
    .option('--dry-run', 'Check every line against the store, which must exist, and write nothing.')
    .action((file: string, options: ImportOptions) => importUsers(file, options, terminal));
}

/** What reads a file. */
interface FileReader {
  readonly records: AsyncIterable<FileRecord>;
  /** What the refusal of the record of this number names. */
  placeOf(number: number): string;
  /** What the file has that does not come along, a sentence for each. */
  notes(): readonly string[];
}

async function readerOf(
  format: 'ndjson' | 'csv' | 'keycloak',
  input: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): Promise<FileReader> {
  if (format === 'keycloak') {
    const { KeycloakExport } = await import('./keycloak.ts');
    const realm = new KeycloakExport();
    const placeOf = (number: number) => realm.placeOf(number);
    return { records: realm.records(input), placeOf, notes: () => realm.notes() };
  }
  const { recordsInCsv, recordsInNdjson } = await import('./records.ts');
  const recordsIn = format === 'csv' ? recordsInCsv : recordsInNdjson;
  return { records: recordsIn(input, onBytes), placeOf: (number) => `line ${number}`, notes: () => [] };
}

/** Imports a file of users. Throws {@link CommandRefused} after the last line if lines were refused. */
async function importUsers(file: string, options: ImportOptions, terminal: Terminal): Promise<void> {
  const { settings } = settingsFor({ ...options }, terminal);
  // Loads the modules that read and hash only for this command, so that others start sooner.
  const { UserImport } = await import('./user-import.ts');
  const { removingStalePassword } = await import('../../people/commands/users/initial-password.ts');
  const dryRun = options.dryRun === true;
  if (dryRun) await refuseUnmigrated(terminal, settings);
  const { input, size } = openInput(file, terminal);
  const display = new ImportDisplay(terminal, size);
  const format = options.format ?? (file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson');
  const { records, placeOf, notes } = await readerOf(format, input, display.onBytes);
  const importOptions = {
    cost: hashCostIn(settings),
    namesCaseSensitive: settings.namesCaseSensitive,
    update: options.update === true,
    withoutHash: options.withoutHash === true,
    dryRun,
  };
  const report = await onStoreToAdd(terminal, settings, (store, clock) => {
    const imported = new UserImport(
      store,
      { ...importOptions, clock, sealer: secretSealer(settings, clock) },
      {
        onBatch: () => display.batch(users(imported.report.added + imported.report.updated)),
        onRefused: (number, why) => display.refused(placeOf(number), why),
      },
    );
    const importAll = () => imported.run(records).finally(() => display.clear());
    return removingStalePassword({ here: { settings, store: async () => store } }, terminal, importAll);
  });
  terminal.stdout.write(summary(report, dryRun));
  for (const note of notes()) terminal.stdout.write(`${visible(note)}\n`);
  if (report.refused > 0) {
    const nouns = format === 'keycloak' ? (['entry', 'entries'] as const) : undefined;
    throw linesRefused(report.refused, 'users', '', nouns);
  }
}
