import { Command } from 'commander';
import { operationCommand, withRunner } from '../../../faces/cli/operation-command.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';

const userGet = () => import('../../people/operations/admin/users/user.get.ts');
const secondFactorDelete = () => import('../operations/admin/users/secondfactor.delete.ts');

function resetCommand(terminal: Terminal): Command {
  return operationCommand(
    terminal,
    'reset',
    'Remove all second factors of a user, such as after the loss of a phone.',
  )
    .argument('<user>', 'User name.')
    .action((userName: string, options) =>
      withRunner(terminal, options, async ({ together }) => {
        const path = { userName };
        await together([userGet, secondFactorDelete], async (run, say) => {
          const { value } = await run(userGet, { path });
          await run(secondFactorDelete, { path });
          say(`Removed all second factors of "${value.userName}". The password alone signs in now.\n`);
        });
      }),
    );
}

/** `tessera users second-factor` */
export function secondFactorCommand(terminal: Terminal): Command {
  return new Command('second-factor')
    .description('The second factors of a user: authenticator app, passkeys, recovery codes.')
    .addCommand(resetCommand(terminal));
}
