import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import type { Terminal } from './context.ts';
import { exitCodeOf, textOf, usageText } from './failure.ts';

type MakeCommand = (terminal: Terminal) => Command;

/** Every command, in the order of the help. Each is loaded when it is asked for: a service starts that much sooner. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  users: async () => (await import('./users/users.ts')).usersCommand,
  tickets: async () => (await import('./tickets.ts')).ticketsCommand,
  clients: async () => (await import('./clients.ts')).clientsCommand,
  events: async () => (await import('./events.ts')).eventsCommand,
  nodes: async () => (await import('./nodes/nodes.ts')).nodesCommand,
  definitions: async () => (await import('./definitions.ts')).definitionsCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  copy: async () => (await import('./copy.ts')).copyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./backup.ts')).restoreCommand,
  conformance: async () => (await import('./conformance/conformance.ts')).conformanceCommand,
  calibrate: async () => (await import('./calibrate/calibrate.ts')).calibrateCommand,
  settings: async () => (await import('./settings.ts')).settingsCommand,
  operations: async () => (await import('./operations.ts')).operationsCommand,
};

/** The command that is named first, or all of them where none is. */
function commandsFor([first = '']: readonly string[]): Promise<MakeCommand[]> {
  const named = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  return Promise.all((named ? [named] : Object.values(COMMANDS)).map((load) => load()));
}

/** Makes the whole command tree report wrong usage to us, in place of ending the process. */
function underOurExit(command: Command, terminal: Terminal): Command {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    outputError: (text, write) => write(usageText(text)),
  });
  command.showHelpAfterError('(see --help)');
  for (const child of command.commands) underOurExit(child, terminal);
  return command;
}

/** The command line for these words: with the command that is named first, or with all of them where none is. */
export async function commandLine(words: readonly string[], terminal: Terminal): Promise<Command> {
  const program = new Command('tessera')
    .description('Ticket authentication and action definitions.')
    .version(VERSION, '--version', 'Print which version this is.');
  for (const command of await commandsFor(words)) program.addCommand(command(terminal));
  return underOurExit(program, terminal);
}

/** Runs the command line; resolves to its exit code: 0 done, 1 refused, 2 wrong usage. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const program = await commandLine(words, terminal);
  try {
    await program.parseAsync(words, { from: 'user' });
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
  // A reader such as head has had enough: the work goes on, and how it ends is told by the exit code.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    stderr.write(
      `What the command had to tell could not be written: ${error.message}. It may have done its work: look before you give it again.\n`,
    );
    process.exit(1);
  });
  stderr.on('error', () => undefined);
  process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr });
}
