import type { Command } from 'commander';
import type { SettingKey } from '../../../../core/settings/table.ts';
import { CommandRefused } from '../../../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import { newPassword, PERMANENT } from '../../../../faces/cli/password.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { passwordElsewhere } from '../../rules/users.ts';

const passwordPut = () => import('../../operations/admin/users/password.put.ts');
const userGet = () => import('../../operations/admin/users/user.get.ts');

/** `tessera users passwd`, with the flags of these settings: where users of a directory change their passwords. */
export function passwdCommand(terminal: Terminal, ...more: readonly SettingKey[]): Command {
  return operationCommand(terminal, 'passwd', "Change a user's password. Its tickets end.", ...more)
    .argument('<name>', 'User name.')
    .option('--password-stdin', 'Read the password from standard input.')
    .option('--permanent', PERMANENT)
    .action((name: string, options) =>
      withRunner(terminal, options, async (runner) => {
        const { removingStalePassword } = await import('./initial-password.ts');
        const { value } = await runner.run(userGet, { path: { userName: name } });
        const { userName, provider } = value;
        // Refuses before anybody types a password. A service elsewhere knows the page where it is changed.
        const elsewhere =
          runner.here &&
          passwordElsewhere(
            { name: userName, provider },
            terminal.settings.passwordPagesOf(runner.here.settings),
          );
        if (elsewhere !== undefined) throw new CommandRefused(`Refused: ${elsewhere.detail}.`);
        const password = await newPassword(userName, options.passwordStdin === true, runner, terminal);
        const body = { password, mustChangePassword: options.permanent !== true };
        await removingStalePassword(runner, terminal, () =>
          runner.run(passwordPut, { path: { userName }, body }),
        );
        terminal.stdout.write(`Changed the password of "${userName}". Its tickets have ended.\n`);
      }),
    );
}
