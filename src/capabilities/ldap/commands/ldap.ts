import { Command } from 'commander';
import { type SettingKey, type Settings, variableOf } from '../../../core/settings/table.ts';
import { StoreUnavailable } from '../../../core/storage/store.ts';
import { visible } from '../../../core/visible.ts';
import { onStore, settingsFor, storeCommand } from '../../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../../faces/cli/failure.ts';
import { answerTo, passwordOn } from '../../../faces/cli/password.ts';
import { print } from '../../../faces/cli/print.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { directoryOptionsIn } from '../assembly.ts';
import type { CheckedPerson } from '../check/person.ts';
import type { CheckStep } from '../check/steps.ts';
import { directorySettings } from '../settings.ts';
import { personHere } from './person-here.ts';

const LDAP_KEYS = Object.keys(directorySettings.settings) as SettingKey[];
/** The width of the names of steps. */
const WIDTH = 14;

/** Prints each step when it is done, and counts the faults. */
class StepPrinter {
  wrong = 0;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async part(about: string, steps: AsyncIterable<CheckStep> | Iterable<CheckStep>): Promise<void> {
    await print(this.#terminal, `${visible(about)}\n`);
    for await (const { name, ok, found } of steps) {
      if (!ok) this.wrong += 1;
      await print(this.#terminal, `  ${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(WIDTH)}  ${visible(found)}\n`);
    }
  }
}

async function passwordFor(name: string, fromStdin: boolean, terminal: Terminal): Promise<string> {
  if (fromStdin) return passwordOn(terminal);
  if (!terminal.stdin.isTTY)
    throw new WrongUsage(
      'There is no terminal to ask for the password: give it on standard input, with --password-stdin.',
    );
  return answerTo(`Password of ${visible(name)} in the directory: `, terminal);
}

/** The steps about the user here. Before the first start there is no store to look into. */
async function stepsHere(
  terminal: Terminal,
  person: CheckedPerson,
  settings: Settings,
): Promise<readonly CheckStep[]> {
  try {
    return await onStore(terminal, settings, (store) =>
      store.read((unit) => personHere(unit, person, settings)),
    );
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return [
      { name: 'user', ok: true, found: `not looked for, since there is no store yet: ${error.message}` },
    ];
  }
}

interface CheckOptions {
  readonly password?: true;
  readonly passwordStdin?: true;
}

async function check(name: string | undefined, options: CheckOptions, terminal: Terminal): Promise<void> {
  const { settings } = settingsFor({ ...options }, terminal);
  if (settings.ldapUrls.length === 0)
    throw new CommandRefused(`No directory is set: name its servers in ${variableOf('ldapUrls')}.`);
  const wantsPassword = options.password === true || options.passwordStdin === true;
  if (wantsPassword && name === undefined)
    throw new WrongUsage('Give the name of the user whose password is to be tried.');
  const password =
    name !== undefined && wantsPassword
      ? await passwordFor(name, options.passwordStdin === true, terminal)
      : undefined;
  const { checkDirectory, settingsSteps } = await import('../check/check.ts');
  const directory = await directoryOptionsIn(settings, () => {});
  const printer = new StepPrinter(terminal);
  await printer.part('settings', settingsSteps(directory));
  let found: CheckedPerson | undefined;
  const onPerson = (person: CheckedPerson) => {
    found = person;
  };
  const checked = name === undefined ? undefined : { name, password };
  for await (const { about, steps } of checkDirectory({ options: directory, checked, onPerson }))
    await printer.part(about, steps);
  if (found !== undefined) await printer.part('here', await stepsHere(terminal, found, settings));
  if (printer.wrong > 0)
    throw new CommandRefused(printer.wrong === 1 ? '1 step is wrong.' : `${printer.wrong} steps are wrong.`);
}

function checkCommand(terminal: Terminal): Command {
  return storeCommand(
    terminal,
    'check',
    'Walk through the directory step by step, and say what is wrong and how to mend it.',
    ...LDAP_KEYS,
  )
    .argument('[name]', 'A user of the directory: its entry, its state, its groups and what it is here.')
    .option('--password', 'Ask for the password of that user, and try it.')
    .option('--password-stdin', 'Read that password from standard input.')
    .action((name: string | undefined, options: CheckOptions) => check(name, options, terminal));
}

/** `tessera ldap` */
export function ldapCommand(terminal: Terminal): Command {
  const command = new Command('ldap').description('The directory (LDAP) whose people log in.');
  return command.addCommand(checkCommand(terminal));
}
