import { Command } from 'commander';
import { WrongUsage } from '../../../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import { printDetails, printList, rowsOf } from '../../../../faces/cli/print.ts';
import { pagesOf } from '../../../../faces/cli/runner.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { nothingToChange } from '../users/change.ts';
import { roleIn, roleOption } from '../users/profile-options.ts';
import { joinCommand, leaveCommand, membersCommand } from './members.ts';

const groupDelete = () => import('../../operations/admin/groups/group.delete.ts');
const groupGet = () => import('../../operations/admin/groups/group.get.ts');
const groupPatch = () => import('../../operations/admin/groups/group.patch.ts');
const groupsGet = () => import('../../operations/admin/groups/groups.get.ts');
const groupsPost = () => import('../../operations/admin/groups/groups.post.ts');
const membersGet = () => import('../../operations/admin/groups/members.get.ts');

const NAME = 'Name of the group, with or without GROUP_.';
const GIVEN_TO_MEMBERS = 'Role in administration that each member has.';

function addCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'add', 'Add a group.')
    .argument('<name>', NAME)
    .option('--display-name <text>', 'The name that people read.')
    .addOption(roleOption(GIVEN_TO_MEMBERS))
    .action((name: string, options) =>
      withRunner(
        terminal,
        options,
        async ({ run }) => {
          const body = { name, displayName: options.displayName as string | undefined, ...roleIn(options) };
          const { value } = await run(groupsPost, { body });
          terminal.stdout.write(`Added the group "${value.name}".\n`);
        },
        'adding',
      ),
    );
}

function listCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'list', 'List the groups.')
    .option('--search <text>', 'Only those with this text in name or display name, in any case.')
    .option('--json', 'As JSON.')
    .action((options) =>
      withRunner(terminal, options, async (runner) => {
        const rows = rowsOf(
          pagesOf(runner, groupsGet, { query: { search: options.search } }),
          ({ name, displayName, role }) => ({ name, displayName, role }),
        );
        await printList(terminal, ['name', 'displayName', 'role'], rows, options.json === true);
      }),
    );
}

function showCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'show', 'Show one group, and the groups around it.')
    .argument('<name>', NAME)
    .option('--json', 'As JSON.')
    .action((group: string, options) =>
      withRunner(terminal, options, async (runner) => {
        const path = { group };
        const { name, displayName, role, memberOf } = (await runner.run(groupGet, { path })).value;
        const contains: string[] = [];
        for await (const members of pagesOf(runner, membersGet, { path })) {
          const groups = members.filter(({ type }) => type === 'group');
          contains.push(...groups.map((each) => each.name));
          // The groups come first.
          if (groups.length < members.length) break;
        }
        const isIn = memberOf.map((each) => each.name);
        await printDetails(terminal, { name, displayName, role, contains, isIn }, options.json === true);
      }),
    );
}

function changeCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'change', 'Change the display name or the role of a group.')
    .argument('<name>', NAME)
    .option('--display-name <text>', 'The name that people read.')
    .addOption(roleOption(GIVEN_TO_MEMBERS))
    .action((group: string, options) =>
      withRunner(terminal, options, async ({ together }) => {
        const { displayName } = options;
        const rank = roleIn(options);
        const role = 'role' in rank ? (rank.role ?? ('none' as const)) : undefined;
        if (displayName === undefined && role === undefined)
          throw new WrongUsage('Give --display-name or --role.');
        const [path, body] = [{ group }, { displayName, role }];
        await together([groupGet, groupPatch], async (run, say) => {
          const { value } = await run(groupGet, { path });
          const isSo =
            (displayName ?? value.displayName) === value.displayName &&
            (role ?? value.role ?? 'none') === (value.role ?? 'none');
          const changed = !isSo && (await run(groupPatch, { path, body })).changed;
          say(changed ? `Changed the group "${value.name}".\n` : nothingToChange(value.name));
        });
      }),
    );
}

function removeCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'remove', 'Remove a group. Its members stay.')
    .argument('<name>', NAME)
    .action((group: string, options) =>
      withRunner(terminal, options, async ({ together }) => {
        const path = { group };
        await together([groupDelete, groupGet], async (run, say) => {
          const { value } = await run(groupGet, { path });
          await run(groupDelete, { path });
          say(`Removed the group "${value.name}". Its members stay.\n`);
        });
      }),
    );
}

/** `tessera groups` */
export function groupsCommand(terminal: Terminal): Command {
  return new Command('groups')
    .description('Groups of users, and of other groups.')
    .addCommand(addCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(membersCommand(terminal))
    .addCommand(joinCommand(terminal))
    .addCommand(leaveCommand(terminal))
    .addCommand(changeCommand(terminal))
    .addCommand(removeCommand(terminal));
}
