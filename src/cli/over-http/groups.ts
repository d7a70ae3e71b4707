import { WrongUsage } from '../failure.ts';
import { printDetails, printList } from '../print.ts';
import { roleIn } from '../users/profile-options.ts';
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
      ...{ name, displayName, role },
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
      ...{ kind: type, name, displayName },
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

/** A command that changes the members of a group, one after the other. */
function membershipCommand(method: 'PUT' | 'DELETE', done: string): RemoteCommand {
  return {
    options: ['group'],
    async does(admin, [group = '', ...users], { group: members = [] }, { stdout }) {
      const groups = members as readonly string[];
      if (users.length + groups.length === 0) throw new WrongUsage('Name a user, or a group with --group.');
      for (const userName of users) {
        await admin.call(`${method} /groups/{group}/users/{userName}`, { path: { group, userName } });
        stdout.write(`"${userName}" ${done} "${group}".\n`);
      }
      for (const member of groups) {
        await admin.call(`${method} /groups/{group}/groups/{member}`, { path: { group, member } });
        stdout.write(`The group "${member}" ${done} "${group}".\n`);
      }
    },
  };
}

export const joinGroup = membershipCommand('PUT', 'is now in');
export const leaveGroup = membershipCommand('DELETE', 'is no longer in');
