import type { Command } from 'commander';
import { onStore, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';

/** `tessera users export` */
export function exportCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'export',
    'Print every group and user, one JSON object a line, as import reads it. With hashes of passwords and app passwords: keep it private.',
  ).action(async (options) => {
    const { settings } = settingsFor(options, terminal);
    // Loads what reads hashes only for this command, so that others start sooner.
    const { printPeople } = await import('./print-people.ts');
    await onStore(terminal, settings, (store) => printPeople(store, terminal));
  });
}
