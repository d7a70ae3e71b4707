import { Command } from 'commander';
import { type SettingKey, type Settings, variableOf } from '../../../core/settings/table.ts';
import { StoreUnavailable } from '../../../core/storage/store.ts';
import { visible } from '../../../core/visible.ts';
import { onStore } from '../../../faces/cli/context.ts';
import { CommandRefused, WrongUsage } from '../../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import { answerTo, passwordOn } from '../../../faces/cli/password.ts';
import type { PerformOperation } from '../../../faces/cli/runner.ts';
import { StepPrinter } from '../../../faces/cli/step-printer.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { directoryOptionsIn } from '../assembly.ts';
import type { CheckedPerson } from '../check/person.ts';
import type { CheckStep } from '../check/steps.ts';
import { directorySettings } from '../settings.ts';
import { personHere } from './person-here.ts';

const LDAP_KEYS = Object.keys(directorySettings.settings) as SettingKey[];
const checkPost = () => import('../operations/admin/directory/check.post.ts');
const NONE = `No directory is set: name its servers in ${variableOf('ldapUrls')}.`;

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

/** The check by the settings of this machine. Each step is printed when it is done. It needs no store. */
async function checkHere(
  name: string | undefined,
  options: CheckOptions,
  settings: Settings,
  terminal: Terminal,
): Promise<void> {
  if (settings.ldapUrls.length === 0) throw new CommandRefused(NONE);
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
  printer.end();
}

/**
 * Has a service elsewhere check the directory in its settings. It shows no entry of a user, since an API key would then read the whole
 * directory.
 */
async function checkElsewhere(
  name: string | undefined,
  options: CheckOptions,
  run: PerformOperation,
  terminal: Terminal,
): Promise<void> {
  if (name !== undefined || options.password || options.passwordStdin)
    throw new WrongUsage(
      'Only the machine of the service looks at a user: leave the user out, or give the command there.',
    );
  const { parts } = (await run(checkPost, {})).value;
  if (parts.length === 0) throw new CommandRefused(NONE);
  await new StepPrinter(terminal).all(parts);
}

function checkCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'check',
    'Walk through the directory step by step, and say what is wrong and how to mend it.',
    ...LDAP_KEYS,
  )
    .argument('[name]', 'A user of the directory: its entry, its state, its groups and what it is here.')
    .option('--password', 'Ask for the password of that user, and try it.')
    .option('--password-stdin', 'Read that password from standard input.')
    .action((name: string | undefined, options) =>
      withRunner(terminal, options, ({ run, here }) =>
        here
          ? checkHere(name, options, here.settings, terminal)
          : checkElsewhere(name, options, run, terminal),
      ),
    );
}

/** `tessera ldap` */
export function ldapCommand(terminal: Terminal): Command {
  const command = new Command('ldap').description('The directory (LDAP) whose people log in.');
  return command.addCommand(checkCommand(terminal));
}
