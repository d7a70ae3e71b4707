import type { Command } from 'commander';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import { printDetails } from '../../../../faces/cli/print.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { stateOf } from './list.ts';

const userGet = () => import('../../operations/admin/users/user.get.ts');

/** `tessera users show` */
export function showCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'show', 'Show one user: profile, role, groups.')
    .argument('<name>', 'User name.')
    .option('--json', 'As JSON.')
    .action((userName: string, options) =>
      withRunner(terminal, options, async ({ run }) => {
        const { value: user } = await run(userGet, { path: { userName } });
        const namesOf = (isDirect: boolean) =>
          user.groups.filter(({ direct }) => direct === isDirect).map(({ name }) => name);
        const details = {
          name: user.userName,
          role: user.role,
          state: stateOf(user),
          password: user.hasPassword,
          provider: user.provider,
          mustChangePassword: user.mustChangePassword || undefined,
          secondFactor: user.hasSecondFactor || undefined,
          appPasswords: user.appPasswords || undefined,
          ...user.profile,
          groups: namesOf(true),
          inheritedGroups: namesOf(false),
        };
        await printDetails(terminal, details, options.json === true);
      }),
    );
}
