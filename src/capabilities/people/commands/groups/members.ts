import type { Command } from 'commander';
import { WrongUsage } from '../../../../faces/cli/failure.ts';
import { operationCommand, withRunner } from '../../../../faces/cli/operation-command.ts';
import { printList, rowsOf } from '../../../../faces/cli/print.ts';
import { type PerformOperation, pagesOf } from '../../../../faces/cli/runner.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';

const groupGet = () => import('../../operations/admin/groups/group.get.ts');
const membergroupDelete = () => import('../../operations/admin/groups/membergroup.delete.ts');
const membergroupPut = () => import('../../operations/admin/groups/membergroup.put.ts');
const membersGet = () => import('../../operations/admin/groups/members.get.ts');
const memberuserDelete = () => import('../../operations/admin/groups/memberuser.delete.ts');
const memberuserPut = () => import('../../operations/admin/groups/memberuser.put.ts');
const userGet = () => import('../../operations/admin/users/user.get.ts');

const JOINING = [memberuserPut, membergroupPut];
const LEAVING = [memberuserDelete, membergroupDelete];

/** `tessera groups members` */
export function membersCommand(terminal: Terminal): Command {
  return operationCommand(terminal, 'members', 'List the members of a group itself.')
    .argument('<name>', 'Name of the group.')
    .option('--json', 'As JSON.')
    .action((group: string, options) =>
      withRunner(terminal, options, async (runner) => {
        const rows = rowsOf(
          pagesOf(runner, membersGet, { path: { group } }),
          ({ type, name, displayName }) => ({ kind: type, name, displayName }),
        );
        await printList(terminal, ['kind', 'name', 'displayName'], rows, options.json === true);
      }),
    );
}

/** A member that a command names, whether it is in the group itself, and what changes that. */
interface NamedMember {
  readonly called: string;
  readonly isIn: boolean;
  change(): Promise<{ readonly changed: boolean }>;
}

/** A command that changes the members of a group. */
interface MembershipCommand {
  readonly verb: string;
  readonly description: string;
  /** Whether the members are in the group in the end. */
  readonly joins: boolean;
  /** The line for a member, by whether anything changed. */
  readonly done: Readonly<Record<'changed' | 'unchanged', string>>;
}

async function userNamed(
  run: PerformOperation,
  group: string,
  name: string,
  joins: boolean,
): Promise<NamedMember> {
  const { userName, groups } = (await run(userGet, { path: { userName: name } })).value;
  const input = { path: { group, userName } };
  return {
    called: `"${userName}"`,
    isIn: groups.some((each) => each.direct && each.name === group),
    change: () => (joins ? run(memberuserPut, input) : run(memberuserDelete, input)),
  };
}

async function groupNamed(
  run: PerformOperation,
  group: string,
  name: string,
  joins: boolean,
): Promise<NamedMember> {
  const { name: member, memberOf } = (await run(groupGet, { path: { group: name } })).value;
  const input = { path: { group, member } };
  return {
    called: `The group "${member}"`,
    isIn: memberOf.some((each) => each.name === group),
    change: () => (joins ? run(membergroupPut, input) : run(membergroupDelete, input)),
  };
}

function membershipCommand(
  { verb, description, joins, done }: MembershipCommand,
  terminal: Terminal,
): Command {
  return operationCommand(terminal, verb, description)
    .argument('<group>', 'Name of the group.')
    .argument('[users...]', 'Names of users.')
    .option(
      '--group <name>',
      'A group in place of a user. May be given several times.',
      (name, before: string[]) => [...before, name],
      [],
    )
    .action((name: string, users: string[], options) => {
      const groups: readonly string[] = options.group;
      if (users.length + groups.length === 0) throw new WrongUsage('Name a user, or a group with --group.');
      return withRunner(terminal, options, ({ together }) =>
        together([groupGet, userGet, ...(joins ? JOINING : LEAVING)], async (run, say) => {
          const { value: group } = await run(groupGet, { path: { group: name } });
          const members: NamedMember[] = [];
          for (const user of users) members.push(await userNamed(run, group.name, user, joins));
          for (const inner of groups) members.push(await groupNamed(run, group.name, inner, joins));
          for (const { called, isIn, change } of members) {
            // It is sent even if it is so already, since somebody else may have changed the group meanwhile.
            const changed = (await change()).changed && isIn !== joins;
            say(`${called} ${done[changed ? 'changed' : 'unchanged']} "${group.name}".\n`);
          }
        }),
      );
    });
}

/** `tessera groups join` */
export function joinCommand(terminal: Terminal): Command {
  return membershipCommand(
    {
      verb: 'join',
      description: 'Make users or groups members of a group.',
      joins: true,
      done: { changed: 'is now in', unchanged: 'was already in' },
    },
    terminal,
  );
}

/** `tessera groups leave` */
export function leaveCommand(terminal: Terminal): Command {
  return membershipCommand(
    {
      verb: 'leave',
      description: 'Take users or groups out of a group.',
      joins: false,
      done: { changed: 'is no longer in', unchanged: 'was not itself in' },
    },
    terminal,
  );
}
