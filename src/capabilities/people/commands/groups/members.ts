import type { Command } from 'commander';
import type { Group } from '../../../../core/domain/group.ts';
import { type Forbidden, isForbidden, type Made } from '../../../../core/domain/outcome.ts';
import { displayNameOf } from '../../../../core/domain/profile.ts';
import type { Settings } from '../../../../core/settings/table.ts';
import type { ReadUnit, Store, WriteUnit } from '../../../../core/storage/store.ts';
import { onStore, settingsFor, storeCommand } from '../../../../faces/cli/context.ts';
import { existingUser } from '../../../../faces/cli/existing-user.ts';
import { CommandRefused, WrongUsage } from '../../../../faces/cli/failure.ts';
import { type PrintedRow, printList } from '../../../../faces/cli/print.ts';
import { recorded } from '../../../../faces/cli/record.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';
import { findGroup, joinGroup, leaveGroup, type Member } from '../../rules/groups.ts';

const PAGE = 1_000;

/** The group with this name. Throws if there is none. */
export async function existingGroup(unit: Pick<ReadUnit, 'groups'>, name: string): Promise<Group> {
  const found = await findGroup(unit, name);
  if (isForbidden(found)) throw new CommandRefused(`Refused: ${found.why}.`);
  return found;
}

/** The members of a group itself: first the groups, then the users. */
async function* membersOf(store: Store, { id }: Group): AsyncGenerator<PrintedRow[]> {
  const groups = await store.read((unit) => unit.groups.groupsIn(id));
  let rows = groups.map(({ name, displayName }) => ({ kind: 'group', name, displayName }));
  for (let after = 0; ; ) {
    const { users, profiles } = await store.read(async (unit) => {
      const found = await unit.groups.usersIn(id, after, PAGE);
      return { users: found, profiles: await unit.profiles.ofUsers(found.map((user) => user.id)) };
    });
    for (const { id: userId, name } of users)
      rows.push({ kind: 'user', name, displayName: displayNameOf(name, profiles.get(userId) ?? {}) });
    yield rows;
    if (users.length < PAGE) return;
    rows = [];
    after = users.at(-1)?.id ?? 0;
  }
}

/** `tessera groups members` */
export function membersCommand(terminal: Terminal): Command {
  return storeCommand(terminal, 'members', 'List the members of a group itself.')
    .argument('<name>', 'Name of the group.')
    .option('--json', 'As JSON.')
    .action(async (name: string, options) => {
      const { settings } = settingsFor(options, terminal);
      await onStore(terminal, settings, async (store) => {
        const group = await store.read((unit) => existingGroup(unit, name));
        const rows = membersOf(store, group);
        await printList(terminal, ['kind', 'name', 'displayName'], rows, options.json === true);
      });
    });
}

/** The members that a command names. Throws if there is no such user or group. */
async function namedMembers(
  unit: WriteUnit,
  users: readonly string[],
  groups: readonly string[],
  settings: Settings,
): Promise<Member[]> {
  const members: Member[] = [];
  for (const name of users) members.push({ user: await existingUser(unit, name, settings) });
  for (const name of groups) members.push({ group: await existingGroup(unit, name) });
  return members;
}

/** A command that changes the members of a group: all that it names, or none. */
interface MembershipCommand {
  readonly verb: string;
  readonly description: string;
  readonly change: (unit: WriteUnit, group: Group, member: Member) => Promise<Made | Forbidden>;
  /** The line for a member, by whether anything changed. */
  readonly done: Readonly<Record<'changed' | 'unchanged', string>>;
}

function membershipCommand(
  { verb, description, change, done }: MembershipCommand,
  terminal: Terminal,
): Command {
  return storeCommand(terminal, verb, description)
    .argument('<group>', 'Name of the group.')
    .argument('[users...]', 'Names of users.')
    .option(
      '--group <name>',
      'A group in place of a user. May be given several times.',
      (name, before: string[]) => [...before, name],
      [],
    )
    .action(async (name: string, users: string[], options) => {
      if (users.length + options.group.length === 0)
        throw new WrongUsage('Name a user, or a group with --group.');
      const { settings } = settingsFor(options, terminal);
      const lines = await onStore(terminal, settings, (store, clock) =>
        store.write(async (unit) => {
          const group = await existingGroup(unit, name);
          const said: string[] = [];
          for (const member of await namedMembers(unit, users, options.group, settings)) {
            const { events } = await recorded(unit, clock(), await change(unit, group, member));
            const called = 'user' in member ? `"${member.user.name}"` : `The group "${member.group.name}"`;
            said.push(`${called} ${done[events.length === 0 ? 'unchanged' : 'changed']} "${group.name}".\n`);
          }
          return said;
        }),
      );
      terminal.stdout.write(lines.join(''));
    });
}

/** `tessera groups join` */
export function joinCommand(terminal: Terminal): Command {
  return membershipCommand(
    {
      verb: 'join',
      description: 'Make users or groups members of a group.',
      change: joinGroup,
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
      change: leaveGroup,
      done: { changed: 'is no longer in', unchanged: 'was not itself in' },
    },
    terminal,
  );
}
