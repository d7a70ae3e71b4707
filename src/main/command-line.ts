import { Command, CommanderError } from 'commander';
import type { Capability } from '../capabilities/capability.ts';
import { PLACE_VARIABLES } from '../core/settings/read.ts';
import { VERSION } from '../core/version.ts';
import { migrationsOf, sourceAt, targetAt } from '../engines/store.ts';
import { exitCodeOf, textOf, usageText, WrongUsage } from '../faces/cli/failure.ts';
import type { OpenedRunner } from '../faces/cli/runner.ts';
import { addSettingsHelp, takesSettings } from '../faces/cli/settings.ts';
import type { CommandProcess, MakeCommand, Terminal } from '../faces/cli/terminal.ts';
import { CAPABILITIES } from './capabilities.ts';
import type { PlaceOption } from './runner-over-http.ts';
import { SETTINGS } from './settings.ts';
import { openStore } from './store.ts';

/** The command that tells a shell of all commands. */
const COMPLETION = 'completion';

const ofCapabilities: readonly Capability['commands'][] = CAPABILITIES.map(({ commands }) => commands);

/** Every command, in the order of the help. Each is loaded on demand, so that the service starts sooner. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  users: async () => (await import('./commands/users.ts')).usersCommand,
  ...Object.assign({}, ...ofCapabilities),
  'secret-keys': async () => (await import('./commands/secret-keys.ts')).secretKeysCommand,
  apply: async () => (await import('../tools/apply/apply.ts')).applyCommand,
  state: async () => (await import('../tools/apply/state.ts')).stateCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  'upgrade-check': async () => (await import('./commands/upgrade-check.ts')).upgradeCheckCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/backup.ts')).restoreCommand,
  conformance: async () => (await import('../tools/conformance/conformance.ts')).conformanceCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  health: async () => (await import('./commands/health.ts')).healthCommand,
  settings: async () => (await import('../faces/cli/settings.ts')).settingsCommand,
  operations: async () => (await import('./commands/operations.ts')).operationsCommand,
  [COMPLETION]: async () => (await import('../faces/cli/completion/completion.ts')).completionCommand,
};

/** The options before a command that say where it does its work: on this machine, or over HTTP. */
const WHERE = ['--server', '--key-file'];

/** The first word that is neither such an option nor its value. */
function commandIn(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  if (WHERE.includes(first)) return commandIn(rest.slice(1));
  return WHERE.some((option) => first.startsWith(`${option}=`)) ? commandIn(rest) : first;
}

/** The command that the words name, or all commands if they name none or the one that needs all. */
function commandsFor(words: readonly string[]): Promise<MakeCommand[]> {
  const first = commandIn(words);
  const isAlone = first !== COMPLETION && Object.hasOwn(COMMANDS, first);
  const named = isAlone ? COMMANDS[first] : undefined;
  return Promise.all((named ? [named] : Object.values(COMMANDS)).map((load) => load()));
}

/** Makes every command report wrong usage to us, instead of ending the process. */
function withoutExit(command: Command, terminal: CommandProcess): Command {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => terminal.stdout.write(text),
    writeErr: (text) => terminal.stderr.write(text),
    outputError: (text, write) => write(usageText(text)),
  });
  command.showHelpAfterError('(see --help)');
  for (const child of command.commands) withoutExit(child, terminal);
  return command;
}

/** The option before a command, or the variable in its place. An empty variable counts as not given. */
function placeIn(
  value: string | undefined,
  flag: string,
  variable: string,
  env: Terminal['env'],
): PlaceOption | undefined {
  if (value !== undefined) return { value, from: flag };
  const text = env[variable];
  return text ? { value: text, from: variable } : undefined;
}

/** What performs the operations of the command on the service that `--server` or `TESSERA_SERVER` names, if one is named. */
async function runnerElsewhere(
  { server: url, keyFile: file }: { readonly server?: string; readonly keyFile?: string },
  command: Command,
  terminal: Terminal,
): Promise<OpenedRunner | undefined> {
  const env = takesSettings(command) ? terminal.env : {};
  const server = placeIn(url, '--server', PLACE_VARIABLES.server, env);
  const keyFile = placeIn(file, '--key-file', PLACE_VARIABLES.keyFile, env);
  if (server === undefined && keyFile !== undefined)
    throw new WrongUsage(`${keyFile.from} is the key for the service of --server: give both, or neither.`);
  if (server === undefined) return undefined;
  const { runnerOverHttp } = await import('./runner-over-http.ts');
  return runnerOverHttp(command, { server, keyFile }, terminal);
}

/** The command line for these words: with the command that the first word names, or with all commands. */
export async function commandLine(words: readonly string[], ofProcess: CommandProcess): Promise<Command> {
  let elsewhere: OpenedRunner | undefined;
  const terminal: Terminal = {
    ...ofProcess,
    settings: SETTINGS,
    openStore,
    openRunner: async (options, use) =>
      elsewhere ?? (await import('./runner-here.ts')).runnerHere(terminal, options, use),
    migrationsOf,
    sourceAt,
    targetAt,
  };
  const program = new Command('tessera')
    .description('Ticket authentication and action definitions.')
    .version(VERSION, '--version', 'Print which version this is.')
    .option(
      '--server <url>',
      `Give the command to the service at this address, over HTTP; or ${PLACE_VARIABLES.server}.`,
    )
    .option('--key-file <file>', `File with the API key for that service; or ${PLACE_VARIABLES.keyFile}.`)
    .hook('preAction', async (root, command) => {
      elsewhere = await runnerElsewhere(root.opts(), command, terminal);
    });
  for (const command of await commandsFor(words)) program.addCommand(command(terminal));
  addSettingsHelp(program);
  return withoutExit(program, terminal);
}

/** Runs the command line. Resolves to its exit code: 0 done, 1 refused, 2 wrong usage, 3 changes pending. */
export async function run(words: readonly string[], terminal: CommandProcess): Promise<number> {
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
  // A reader such as head may stop reading. The work goes on, and the exit code says how it ended.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    stderr.write(
      `The output of the command could not be written: ${error.message}. It may have done its work: check before you give it again.\n`,
    );
    process.exit(1);
  });
  stderr.on('error', () => undefined);
  process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr });
}
