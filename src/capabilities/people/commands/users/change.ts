import type { Command } from 'commander';
import { PROFILE_FIELDS } from '../../../../core/domain/profile.ts';
import { WrongUsage } from '../../../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import type { CommandInput, Runner } from '../../../../faces/cli/runner.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import type { UserJson } from '../../representations/admin/user.ts';
import { profileIn, roleIn, withProfile } from './profile-options.ts';

const userGet = () => import('../../operations/admin/users/user.get.ts');
const userPatch = () => import('../../operations/admin/users/user.patch.ts');

type Patch = CommandInput<Awaited<ReturnType<typeof userPatch>>['default']>['body'];

/** The message of a command that had nothing to change. */
export const nothingToChange = (name: string): string => `Nothing to change: "${name}" is so already.\n`;

/** Changes a user unless it is so already, and prints what was done. */
const patch = (
  { together }: Runner,
  userName: string,
  body: Patch,
  isSo: (user: UserJson) => boolean,
  done: (name: string) => string,
) =>
  together([userGet, userPatch], async (run, say) => {
    const path = { userName };
    const { value } = await run(userGet, { path });
    const changed = !isSo(value) && (await run(userPatch, { path, body })).changed;
    say(changed ? `${done(value.userName)}\n` : nothingToChange(value.userName));
  });

/** A command that brings a user into a state. */
interface StateCommand {
  readonly verb: string;
  readonly description: string;
  readonly body: Patch;
  /** Whether the user is in that state, as far as its JSON tells. */
  readonly isSo: (user: UserJson) => boolean;
  readonly done: (name: string) => string;
}

/** Makes a command that changes one user and prints what it did, or that there was nothing to change. */
const stateCommand =
  ({ verb, description, body, isSo, done }: StateCommand) =>
  (terminal: Terminal): Command =>
    operationCommand(terminal, verb, description)
      .argument('<name>', 'User name.')
      .action((name: string, options) =>
        withRunner(terminal, options, (runner) => patch(runner, name, body, isSo, done)),
      );

/** `tessera users disable` */
export const disableCommand = stateCommand({
  verb: 'disable',
  description: 'Disable a user: no login, and its tickets end.',
  body: { disabled: true },
  isSo: ({ state }) => state === 'disabled',
  done: (name) => `Disabled "${name}". Its tickets have ended.`,
});

/** `tessera users enable` */
export const enableCommand = stateCommand({
  verb: 'enable',
  description: 'Enable a disabled user. The tickets that it had stay ended.',
  body: { disabled: false },
  isSo: ({ state }) => state !== 'disabled',
  done: (name) => `Enabled "${name}".`,
});

/** `tessera users lock` */
export const lockCommand = stateCommand({
  verb: 'lock',
  description: 'Lock a user out until it is unlocked.',
  body: { locked: true },
  isSo: ({ state, lockedUntil }) => state === 'locked' && lockedUntil === undefined,
  done: (name) => `Locked "${name}". Its tickets are suspended until it is unlocked.`,
});

/** `tessera users require-new-password` */
export const requireNewPasswordCommand = stateCommand({
  verb: 'require-new-password',
  description: 'Have the sign-in page ask a user for a new password. Logins of programs go on.',
  body: { mustChangePassword: true },
  isSo: ({ mustChangePassword }) => mustChangePassword,
  done: (name) => `"${name}" has to choose a new password at the next sign-in.`,
});

/** `tessera users keep-password` */
export const keepPasswordCommand = stateCommand({
  verb: 'keep-password',
  description: 'Let a user keep its password: the sign-in page asks for no new one.',
  body: { mustChangePassword: false },
  isSo: ({ mustChangePassword }) => !mustChangePassword,
  done: (name) => `"${name}" keeps its password.`,
});

/** Whether the profile and the role are so already: an empty text is a field that is missing. */
const isAsIn =
  ({ role, ...fields }: Patch) =>
  ({ profile, ownRole }: UserJson): boolean =>
    (role === undefined || role === (ownRole ?? 'none')) &&
    PROFILE_FIELDS.every((name) => (fields[name] ?? profile[name] ?? '') === (profile[name] ?? ''));

/** `tessera users change` */
export function changeCommand(terminal: Terminal): Command {
  const command = operationCommand(
    terminal,
    'change',
    'Change the profile or the role of a user. An empty text removes a field.',
  );
  return withProfile(command.argument('<name>', 'User name.')).action((name: string, options) =>
    withRunner(terminal, options, async (runner) => {
      const rank = roleIn(options);
      const body: Patch = {
        ...profileIn(options),
        ...('role' in rank && { role: rank.role ?? ('none' as const) }),
      };
      if (Object.keys(body).length === 0)
        throw new WrongUsage('Give what to change, such as --email or --role: see --help.');
      await patch(runner, name, body, isAsIn(body), (user) => `Changed "${user}".`);
      const store = 'role' in rank ? await runner.here?.store() : undefined;
      if (store && !(await store.read((unit) => unit.roles.hasAdministrator())))
        terminal.stderr.write(
          "There is no administrator now: make one with 'tessera users change NAME --role administrator'.\n",
        );
    }),
  );
}
