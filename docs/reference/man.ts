import type { Argument, Command, Option } from 'commander';
import { variableOf } from '../../src/core/settings/table.ts';
import { VERSION } from '../../src/core/version.ts';
import { commandLine } from '../../src/main/command-line.ts';
import { SETTINGS } from '../../src/main/settings.ts';

/** A text as roff(7) prints it: no character of it is a command. */
function shown(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** A term in bold, with what it means below it. */
const entry = (term: string, text: string) => ['.TP', `.B "${shown(term)}"`, shown(text)];

const FLAGS_OF_SETTINGS: ReadonlySet<string | undefined> = new Set([
  '--config',
  '--help-settings',
  ...SETTINGS.keys.map((key) => SETTINGS.flagOf(key)),
]);
const isOwn = ({ long }: Option) => !FLAGS_OF_SETTINGS.has(long);

function placeOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Every command that does something, with the words that name it. */
function* commandsBelow(command: Command, words: readonly string[] = []): Generator<[string, Command]> {
  if (command.commands.length === 0) yield [words.join(' '), command];
  for (const child of command.commands) yield* commandsBelow(child, [...words, child.name()]);
}

function describedCommand([words, command]: readonly [string, Command]): readonly string[] {
  const term = [words, ...command.registeredArguments.map(placeOf)].join(' ');
  const own = command.options.filter(isOwn);
  const options = own.flatMap(({ flags, description }) => entry(flags, description));
  const settings = own.length < command.options.length ? ' It takes flags of settings.' : '';
  return [
    ...entry(term, `${command.description()}${settings}`),
    ...(options.length > 0 ? ['.RS', ...options, '.RE'] : []),
  ];
}

function describedSetting(key: (typeof SETTINGS.keys)[number]): readonly string[] {
  const { help, default: fallback } = SETTINGS.setting(key);
  const term = `${SETTINGS.flagOf(key)} ${SETTINGS.isSecret(key) ? '<file>' : '<value>'}, ${variableOf(key)}`;
  return entry(term, fallback ? `${help} The default is ${fallback}.` : help);
}

const EXIT_STATUS = [
  ['0', 'The command did its work.'],
  ['1', 'It was refused, or failed; standard error says why, and how to mend it.'],
  ['2', 'The command or a setting was written wrongly, and nothing was done.'],
  ['3', 'A dry run found something to change.'],
] as const;

const { stdin, stdout, stderr } = process;
const program = await commandLine([], { env: {}, stdin, stdout, stderr });

/** The manual page tessera(1), from the commands and settings as they are declared. */
export function manualPage(): string {
  const lines = [
    `.TH TESSERA 1 "" "tessera ${VERSION}" "Tessera"`,
    '.SH NAME',
    'tessera \\- ticket authentication and action definitions',
    '.SH SYNOPSIS',
    '.B tessera',
    `${shown('[--server <url> --key-file <file>] <command> [options] [arguments]')}`,
    '.SH DESCRIPTION',
    shown(
      "Runs the service (serve), and administers it. 'tessera <command> --help' shows the options of a command, and --help-settings the settings that it takes. 'tessera doctor' says what is wrong with the set-up.",
    ),
    '.SH OPTIONS',
    ...program.options.flatMap(({ flags, description }) => entry(flags, description)),
    '.SH COMMANDS',
    ...[...commandsBelow(program)].flatMap(describedCommand),
    '.SH SETTINGS',
    shown(
      'Each setting can be given as a flag, as a variable of the environment, or in a JSON file that --config or TESSERA_CONFIG names. The flag comes before the variable, the variable before the file. A secret is given in a file, by its flag or by its variable with _FILE behind it.',
    ),
    ...SETTINGS.groups.flatMap(({ heading, keys }) => [
      `.SS "${shown(heading)}"`,
      ...keys.flatMap(describedSetting),
    ]),
    '.SH EXIT STATUS',
    ...EXIT_STATUS.flatMap(([code, text]) => entry(code, text)),
    '.SH FILES',
    ...entry('./data', 'The data folder of the embedded store, unless a setting names another one.'),
  ];
  return `${lines.join('\n')}\n`;
}
