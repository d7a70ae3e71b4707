import { Command, CommanderError } from 'commander';
import { backupCommand, restoreCommand } from './backup.ts';
import { calibrateCommand } from './calibrate/calibrate.ts';
import { clientsCommand } from './clients.ts';
import { conformanceCommand } from './conformance/conformance.ts';
import type { Terminal } from './context.ts';
import { copyCommand } from './copy.ts';
import { definitionsCommand } from './definitions.ts';
import { eventsCommand } from './events.ts';
import { exitCodeOf, textOf } from './failure.ts';
import { migrateCommand } from './migrate.ts';
import { nodesCommand } from './nodes/nodes.ts';
import { operationsCommand } from './operations.ts';
import { serveCommand } from './serve.ts';
import { settingsCommand } from './settings.ts';
import { ticketsCommand } from './tickets.ts';
import { usersCommand } from './users/users.ts';

/** Makes the whole command tree report wrong usage to us, in place of ending the process. */
function underOurExit(command: Command, { stdout, stderr }: Terminal): Command {
  command.exitOverride();
  command.configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  command.showHelpAfterError('(see --help)');
  for (const child of command.commands) underOurExit(child, { stdout, stderr } as Terminal);
  return command;
}

/** Runs the command line; resolves to its exit code: 0 done, 1 refused, 2 wrong usage. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('tessera').description('Ticket authentication and action definitions.');
  for (const command of [
    serveCommand,
    usersCommand,
    ticketsCommand,
    clientsCommand,
    eventsCommand,
    nodesCommand,
    definitionsCommand,
    migrateCommand,
    copyCommand,
    backupCommand,
    restoreCommand,
    conformanceCommand,
    calibrateCommand,
    settingsCommand,
    operationsCommand,
  ]) {
    program.addCommand(command(terminal));
  }
  try {
    await underOurExit(program, terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.stderr.write(`${textOf(error)}\n`);
    return exitCodeOf(error);
  }
}

if (import.meta.main) {
  const { env, stdin, stdout, stderr } = process;
  process.umask(0o077);
  // A reader such as head has had enough: nobody is left to print for.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr });
}
