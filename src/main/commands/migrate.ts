import { Command } from 'commander';
import { isoTime } from '../../core/domain/iso-time.ts';
import { visible } from '../../core/visible.ts';
import { migrationsOf } from '../../engines/store.ts';
import { settingsFor, storeCommand } from '../../faces/cli/context.ts';
import { printList } from '../../faces/cli/print.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { openStore } from '../store.ts';

function statusCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'status', 'Tell which steps of its schema the store had. Changes nothing.')
    .option('--json', 'As JSON.')
    .action(async (options) => {
      const { settings } = settingsFor(options, terminal);
      const rows = (await migrationsOf(settings)).map(({ name, done, appliedAt }) => ({
        migration: name,
        state: done ? 'done' : 'to be done',
        at: isoTime(appliedAt),
      }));
      await printList(terminal, ['migration', 'state', 'at'], [rows], options.json === true);
    });
}

function upCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'up',
    "Bring the store to this version's schema, as a start of the service does.",
  ).action(async (options) => {
    const { settings } = settingsFor(options, terminal);
    const missing = (await migrationsOf(settings)).filter(({ done }) => !done).map(({ name }) => name);
    const { store, warnings = [] } = await openStore(settings, 'migration');
    await store.close();
    terminal.stdout.write(
      missing.length === 0 ? 'Nothing was to be done.\n' : `Migrated: ${missing.join(', ')}.\n`,
    );
    for (const warning of warnings) terminal.stderr.write(`${visible(warning)}\n`);
  });
}

/** `tessera migrate` */
export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .description("The store's schema, and its steps from version to version.")
    .addCommand(statusCommand(terminal))
    .addCommand(upCommand(terminal));
}
