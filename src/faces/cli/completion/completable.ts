import type { Argument, Command, Option } from 'commander';
import type { SettingsTable } from '../../../core/settings/groups.ts';

/** The values of one place on the command line: paths of files, any text, or one of these words. */
export type Completable = 'files' | 'text' | readonly string[];

/** A name that can be typed, with its description. */
export interface NamedWord {
  readonly name: string;
  readonly about: string;
}

/** A command, as a shell completes it. */
export interface CompletableCommand {
  /** The words that name it, such as `users add`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly NamedWord[];
  readonly options: readonly NamedWord[];
  readonly argument: Completable;
}

/** Everything that can be typed behind the name of the program. */
export interface CompletableProgram {
  readonly commands: readonly CompletableCommand[];
  /** What follows each option that takes a value, by the option's name. The same name means the same everywhere. */
  readonly values: ReadonlyMap<string, Completable>;
}

const HELP = { name: '--help', about: 'Show what there is to know about a command.' };
const ABOUT_HELP = { name: 'help', about: 'Show the help of a command.' };

/** The words that a setting takes, by its flag. */
function wordsByFlag(settings: SettingsTable): ReadonlyMap<string | undefined, readonly string[]> {
  const words = settings.keys.map(
    (key) => [settings.flagOf(key), settings.setting(key).parse.words] as const,
  );
  return new Map(words.flatMap(([flag, taken]) => (taken === undefined ? [] : [[flag, taken]])));
}

const isPath = (placeholder: string, description: string) =>
  /<(?:file|path|folder|place)>/.test(placeholder) || /^(?:File|Folder|Document)\b/.test(description);

function completedBy(
  { long, flags, description, argChoices, required, optional }: Option,
  taken: ReturnType<typeof wordsByFlag>,
): Completable | undefined {
  if (!required && !optional) return undefined;
  const words = argChoices ?? taken.get(long);
  return words ?? (isPath(flags, description) ? 'files' : 'text');
}

function argumentOf(argument: Argument | undefined): Completable {
  if (argument === undefined) return 'text';
  const isFile = isPath(`<${argument.name()}>`, argument.description);
  return argument.argChoices ?? (isFile ? 'files' : 'text');
}

const wordOf = (command: Command): NamedWord => ({ name: command.name(), about: command.description() });

function* commandsBelow(command: Command, path: string): Generator<CompletableCommand> {
  const below = command.commands.map(wordOf);
  const options = command.options.map(({ long, short, description: about }) => ({
    name: long ?? (short as string),
    about,
  }));
  yield {
    path,
    commands: below.length === 0 ? [] : [...below, ABOUT_HELP],
    options: [...options, HELP],
    argument: argumentOf(command.registeredArguments[0]),
  };
  const within = (name: string) => (path === '' ? name : `${path} ${name}`);
  if (below.length > 0) yield { path: within('help'), commands: below, options: [], argument: 'text' };
  for (const child of command.commands) yield* commandsBelow(child, within(child.name()));
}

function* optionsBelow(command: Command): Generator<Option> {
  yield* command.options;
  for (const child of command.commands) yield* optionsBelow(child);
}

/** What can be typed for this program, from its commands as they are declared. */
export function completableProgram(program: Command, settings: SettingsTable): CompletableProgram {
  const taken = wordsByFlag(settings);
  const values = [...optionsBelow(program)].flatMap((option) => {
    const value = completedBy(option, taken);
    return value === undefined ? [] : [[option.long ?? option.flags, value] as const];
  });
  return { commands: [...commandsBelow(program, '')], values: new Map(values) };
}

/** How a shell writes what it completes. */
export interface ShellWords {
  /** What the names of its functions begin with. */
  readonly prefix: string;
  /** A function of the shell that gives the second text for the first one. */
  table(name: string, rows: readonly (readonly [string, string])[]): string;
  names(words: readonly NamedWord[]): string;
  values(value: Completable): string;
}

/** The functions of the shell that say which commands, options and arguments a command takes, and which values an option. */
export function tablesOf({ commands, values }: CompletableProgram, shell: ShellWords): string[] {
  const ofCommands = (name: string, of: (command: CompletableCommand) => string) =>
    shell.table(
      `${shell.prefix}_${name}`,
      commands.map((command) => [command.path, of(command)]),
    );
  return [
    ofCommands('commands', (command) => shell.names(command.commands)),
    ofCommands('options', (command) => shell.names(command.options)),
    ofCommands('arguments', ({ argument }) => (argument === 'text' ? '' : shell.values(argument))),
    shell.table(
      `${shell.prefix}_values`,
      [...values].map(([option, value]) => [option, shell.values(value)]),
    ),
  ];
}
