import type { Command } from 'commander';
import type { AnyOperation } from '../../core/operation.ts';
import type { SettingKey } from '../../core/settings/table.ts';
import type { Use } from '../../core/storage/opened-store.ts';
import { storeCommand } from './context.ts';
import { type PrintedRow, printList, rowsOf } from './print.ts';
import { type ItemOf, type LoadOperation, pagesOf, type Runner } from './runner.ts';
import type { Terminal } from './terminal.ts';

const running = new WeakSet<Command>();

/** Whether all that the command does are operations, so that a service over HTTP can do it. */
export const runsOperations = (command: Command): boolean => running.has(command);

/** A command that can have a service over HTTP do all of its work, by operations. */
export function worksElsewhere(command: Command): Command {
  running.add(command);
  return command;
}

/** A command that does all of its work by operations: with the flags of the store, and of these settings. */
export function operationCommand(
  terminal: Terminal,
  name: string,
  description: string,
  ...more: readonly SettingKey[]
): Command {
  return worksElsewhere(storeCommand(terminal, name, description, ...more));
}

/** `list`: prints what an operation lists, in columns with these headings. */
export function listCommand<O extends AnyOperation>(
  terminal: Terminal,
  description: string,
  load: LoadOperation<O>,
  columns: Readonly<Record<string, (item: ItemOf<O>) => PrintedRow[string]>>,
): Command {
  const cells = Object.entries(columns);
  const rowOf = (item: ItemOf<O>) =>
    Object.fromEntries(cells.map(([heading, cellOf]) => [heading, cellOf(item)]));
  return operationCommand(terminal, 'list', description)
    .option('--json', 'As JSON.')
    .action((options) =>
      withRunner(terminal, options, (runner) =>
        printList(
          terminal,
          Object.keys(columns),
          rowsOf(pagesOf(runner, load, {}), rowOf),
          options.json === true,
        ),
      ),
    );
}

/** Does `work` with the runner for a command with these options. A command that adds makes a missing embedded store. */
export async function withRunner(
  terminal: Terminal,
  options: Record<string, unknown>,
  work: (runner: Runner) => Promise<void>,
  use: Use = 'command',
): Promise<void> {
  const runner = await terminal.openRunner(options, use);
  try {
    await work(runner);
  } finally {
    await runner.close();
  }
}
