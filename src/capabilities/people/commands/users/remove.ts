import type { Command } from 'commander';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';

const userDelete = () => import('../../operations/admin/users/user.delete.ts');
const userGet = () => import('../../operations/admin/users/user.get.ts');

/** `tessera users remove` */
export function removeCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'remove', 'Remove a user. Its tickets end.')
    .argument('<name>', 'User name.')
    .action((userName: string, options) =>
      withRunner(terminal, options, async (runner) => {
        const { removingStalePassword } = await import('./initial-password.ts');
        const path = { userName };
        const removed = await removingStalePassword(runner, terminal, () =>
          runner.together([userDelete, userGet], async (run) => {
            const { value } = await run(userGet, { path });
            await run(userDelete, { path });
            return value.userName;
          }),
        );
        terminal.stdout.write(`Removed "${removed}". Its tickets have ended.\n`);
      }),
    );
}
