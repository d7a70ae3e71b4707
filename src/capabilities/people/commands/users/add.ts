import type { Command } from 'commander';
import { faultOfNewName } from '../../../../core/domain/user.ts';
import { CommandRefused, WrongUsage } from '../../../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import { newPassword, PERMANENT } from '../../../../faces/cli/password.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { profileIn, roleIn, withProfile } from './profile-options.ts';

const usersPost = () => import('../../operations/admin/users/users.post.ts');

function checkUsage({ passwordStdin, permanent, password, admin, role }: Record<string, unknown>): void {
  if (passwordStdin && !password) throw new WrongUsage('Give --password-stdin or --no-password, not both.');
  if (permanent && !password) throw new WrongUsage('Give --permanent or --no-password, not both.');
  if (admin && role) throw new WrongUsage('Give --admin or --role, not both.');
}

/** `tessera users add` */
export function addCommand(terminal: Terminal): Command {
  const command = operationCommand(terminal, 'add', 'Add a user.')
    .argument('<name>', 'User name.')
    .option('--admin', 'Make it an administrator.')
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--permanent', PERMANENT)
    .option('--no-password', 'Add a user that logs in without a password, such as a guest.');
  return withProfile(command).action((userName: string, options) =>
    withRunner(
      terminal,
      options,
      async (runner) => {
        checkUsage(options);
        const role = options.admin ? ('administrator' as const) : roleIn(options).role;
        const profile = profileIn(options);
        // Refuses a bad name before anybody types a password for it.
        const fault = faultOfNewName(userName);
        if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
        const password = options.password
          ? await newPassword(userName, options.passwordStdin === true, runner, terminal)
          : undefined;
        const mustChangePassword = password === undefined ? undefined : options.permanent !== true;
        const body = { userName, ...profile, role, password, mustChangePassword };
        const { value } = await runner.run(usersPost, { body });
        terminal.stdout.write(`Added "${value.userName}".\n`);
      },
      'adding',
    ),
  );
}
