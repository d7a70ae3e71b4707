import type { Command } from 'commander';
import type { SettingKey } from '../../../core/settings/table.ts';
import { visible } from '../../../core/visible.ts';
import { operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';

const userGet = () => import('../../people/operations/admin/users/user.get.ts');
const lockoutDelete = () => import('../operations/admin/lockout.delete.ts');
const signinGet = () => import('../operations/admin/users/signin.get.ts');

/** `tessera users why`, with the flags of these settings: the others that check passwords. */
export function whyCommand(terminal: Terminal, ...more: readonly SettingKey[]): Command {
  return operationCommand(
    terminal,
    'why',
    'Tell why a user can or cannot log in.',
    'throttleAfter',
    'lockoutThreshold',
    'lockoutDuration',
    'ticketsPerUser',
    'ticketsFull',
    ...more,
  )
    .argument('<name>', 'User name.')
    .action((userName: string, options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { value } = await run(signinGet, { path: { userName } });
        terminal.stdout.write(`${visible(value.detail)}\n`);
      }),
    );
}

/** `tessera users unlock`. It lifts the lock-out instead of changing the user: over HTTP operators may do that, too. */
export function unlockCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'unlock', 'End a lock-out, and forget the failures of the name.')
    .argument('<name>', 'User name.')
    .action((userName: string, options) =>
      withRunner(terminal, options, async ({ together }) => {
        const path = { userName };
        await together([userGet, lockoutDelete], async (run, say) => {
          const { value } = await run(userGet, { path });
          await run(lockoutDelete, { path });
          say(`Unlocked "${value.userName}", and forgot the failures of the name.\n`);
        });
      }),
    );
}
