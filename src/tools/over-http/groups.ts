import { nothingToChange } from '../../capabilities/people/commands/users/change.ts';
import { roleIn } from '../../capabilities/people/commands/users/profile-options.ts';
import type { AdminClient } from '../../client/admin.ts';
import { WrongUsage } from '../../faces/cli/failure.ts';
import { printDetails, printList } from '../../faces/cli/print.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

const display = (options: Readonly<Record<string, unknown>>) =>
  options.displayName === undefined ? {} : { displayName: String(options.displayName) };

export const addGroup: RemoteCommand = {
  options: ['displayName', 'role'],
  async does(admin, [name = ''], options, { stdout }) {
    const { role } = roleIn(options);
    const body = { name, ...display(options), ...(role && { role }) };
    const { value } = await admin.call('POST /groups', { body });
    stdout.write(`Added the group "${value.name}".\n`);
  },
};

export const listGroups: RemoteCommand = {
  options: ['search', 'json'],
  async does(admin, _, { search, json }, terminal) {
    const query = { limit: '1000', ...(search !== undefined && { prefix: String(search) }) };
    const rows = rowsOf(admin.pages('GET /groups', { query }), ({ name, displayName, role }) => ({
      name,
      displayName,
      role,
    }));
    await printList(terminal, ['name', 'displayName', 'role'], rows, json === true);
  },
};

export const showGroup: RemoteCommand = {
  options: ['json'],
  async does(admin, [group = ''], { json }, terminal) {
    const { value } = await admin.call('GET /groups/{group}', { path: { group } });
    const contains: string[] = [];
    for await (const { type, name } of admin.list('GET /groups/{group}/members', { path: { group } })) {
      // The groups come first.
      if (type === 'user') break;
      contains.push(name);
    }
    const { name, displayName, role } = value;
    const isIn = value.memberOf.map((each) => each.name);
    await printDetails(terminal, { name, displayName, role, contains, isIn }, json === true);
  },
};

export const listMembers: RemoteCommand = {
  options: ['json'],
  async does(admin, [group = ''], { json }, terminal) {
    const input = { path: { group }, query: { limit: '1000' } };
    const rows = rowsOf(admin.pages('GET /groups/{group}/members', input), ({ type, name, displayName }) => ({
      kind: type,
      name,
      displayName,
    }));
    await printList(terminal, ['kind', 'name', 'displayName'], rows, json === true);
  },
};

export const changeGroup: RemoteCommand = {
  options: ['displayName', 'role'],
  async does(admin, [group = ''], options, { stdout }) {
    const rank = roleIn(options);
    const body = { ...display(options), ...('role' in rank && { role: rank.role ?? ('none' as const) }) };
    if (Object.keys(body).length === 0) throw new WrongUsage('Give --display-name or --role.');
    const { value, etag } = await admin.call('GET /groups/{group}', { path: { group } });
    const { displayName, role = 'none' } = value;
    if ((body.displayName ?? displayName) === displayName && (body.role ?? role) === role) {
      stdout.write(`${nothingToChange(value.name)}\n`);
      return;
    }
    await admin.call('PATCH /groups/{group}', { path: { group }, body }, { ifMatch: etag });
    stdout.write(`Changed the group "${value.name}".\n`);
  },
};

export const removeGroup: RemoteCommand = {
  options: [],
  async does(admin, [group = ''], _, { stdout }) {
    const { value, etag } = await admin.call('GET /groups/{group}', { path: { group } });
    await admin.call('DELETE /groups/{group}', { path: { group } }, { ifMatch: etag });
    stdout.write(`Removed the group "${value.name}". Its members stay.\n`);
  },
};

/** A member as it is named there, and whether it is in the group itself. */
interface KnownMember {
  readonly name: string;
  readonly isIn: boolean;
}

async function userIn(admin: AdminClient, group: string, userName: string): Promise<KnownMember> {
  const { value } = await admin.call('GET /users/{userName}', { path: { userName } });
  return {
    name: value.userName,
    isIn: value.groups.some(({ name, direct }) => direct && name === group),
  };
}

async function groupIn(admin: AdminClient, group: string, member: string): Promise<KnownMember> {
  const { value } = await admin.call('GET /groups/{group}', { path: { group: member } });
  return { name: value.name, isIn: value.memberOf.some(({ name }) => name === group) };
}

/**
 * A command that changes the members of a group, one after the other. It prints `unchanged` of a member that was in the
 * group, or out of it, before. It sends the change all the same, since somebody else may have changed the group meanwhile.
 */
function membershipCommand(method: 'PUT' | 'DELETE', done: string, unchanged: string): RemoteCommand {
  const isDone = ({ isIn }: KnownMember) => isIn === (method === 'PUT');
  return {
    options: ['group'],
    async does(admin, [group = '', ...users], { group: members = [] }, { stdout }) {
      const groups = members as readonly string[];
      if (users.length + groups.length === 0) throw new WrongUsage('Name a user, or a group with --group.');
      const { value } = await admin.call('GET /groups/{group}', { path: { group } });
      for (const userName of users) {
        const user = await userIn(admin, value.name, userName);
        await admin.call(`${method} /groups/{group}/users/{userName}`, { path: { group, userName } });
        stdout.write(`"${user.name}" ${isDone(user) ? unchanged : done} "${value.name}".\n`);
      }
      for (const member of groups) {
        const inner = await groupIn(admin, value.name, member);
        await admin.call(`${method} /groups/{group}/groups/{member}`, { path: { group, member } });
        stdout.write(`The group "${inner.name}" ${isDone(inner) ? unchanged : done} "${value.name}".\n`);
      }
    },
  };
}

export const joinGroup = membershipCommand('PUT', 'is now in', 'was already in');
export const leaveGroup = membershipCommand('DELETE', 'is no longer in', 'was not itself in');
