import type { Command } from 'commander';
import type { SettingKey } from '../../core/settings/table.ts';
import type { Use } from '../../core/storage/opened-store.ts';
import { storeCommand } from './context.ts';
import type { Runner } from './runner.ts';
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
