import { sayReset } from '../../capabilities/factors/commands/second-factor.ts';
import { nothingToChange } from '../../capabilities/people/commands/users/change.ts';
import { profileIn, roleIn } from '../../capabilities/people/commands/users/profile-options.ts';
import type { AdminClient, AdminOperations } from '../../client/admin.ts';
import { PROFILE_FIELDS } from '../../core/domain/profile.ts';
import { visible } from '../../core/visible.ts';
import { WrongUsage } from '../../faces/cli/failure.ts';
import { typedPassword } from '../../faces/cli/password.ts';
import { type PrintedRow, printDetails, printList } from '../../faces/cli/print.ts';
import { type RemoteCommand, rowsOf } from './remote-command.ts';

type RemoteUser = AdminOperations['GET /users/{userName}']['answer'];
type Patch = AdminOperations['PATCH /users/{userName}']['body'];

const PROFILE_OPTIONS = [...PROFILE_FIELDS, 'role'];
/** The service searches for parts of at least this many characters. */
const SHORTEST_PART = 3;

const stateOf = ({ state, lockedUntil }: Pick<RemoteUser, 'state' | 'lockedUntil'>) =>
  lockedUntil === undefined ? state : `${state} until ${lockedUntil}`;

export const listUsers: RemoteCommand = {
  options: ['search', 'admin', 'disabled', 'locked', 'json'],
  async does(admin, _, { search, admin: administrators, disabled, locked, json }, terminal) {
    const text = String(search ?? '');
    const query = {
      limit: '1000',
      ...(text !== '' && ([...text].length < SHORTEST_PART ? { prefix: text } : { search: text })),
      ...(administrators === true && { administrators: 'true' }),
      ...(disabled === true && { disabled: 'true' }),
      ...(locked === true && { locked: 'true' }),
    };
    const rows = rowsOf(admin.pages('GET /users', { query }), (user): PrintedRow => {
      const { userName: name, administrator, hasPassword: password, provider, profile } = user;
      return { name, administrator, state: stateOf(user), password, provider, ...profile };
    });
    await printList(
      terminal,
      ['name', 'administrator', 'state', 'password', 'provider'],
      rows,
      json === true,
    );
  },
};

export const showUser: RemoteCommand = {
  options: ['json'],
  async does(admin, [userName = ''], { json }, terminal) {
    const { value: user } = await admin.call('GET /users/{userName}', { path: { userName } });
    const namesOf = (isDirect: boolean) =>
      user.groups.filter(({ direct }) => direct === isDirect).map(({ name }) => name);
    const shown = {
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
    await printDetails(terminal, shown, json === true);
  },
};

export const whyNotSignIn: RemoteCommand = {
  options: [],
  async does(admin, [userName = ''], _, { stdout }) {
    const { value } = await admin.call('GET /users/{userName}/sign-in', { path: { userName } });
    stdout.write(`${visible(value.detail)}\n`);
  },
};

export const addUser: RemoteCommand = {
  options: ['admin', 'passwordStdin', 'permanent', 'password', ...PROFILE_OPTIONS],
  async does(admin, [userName = ''], options, terminal) {
    if (options.passwordStdin && !options.password)
      throw new WrongUsage('Give --password-stdin or --no-password, not both.');
    if (options.permanent && !options.password)
      throw new WrongUsage('Give --permanent or --no-password, not both.');
    if (options.admin && options.role) throw new WrongUsage('Give --admin or --role, not both.');
    const role = options.admin ? ('administrator' as const) : roleIn(options).role;
    const profile = profileIn(options);
    const password = options.password
      ? await typedPassword(options.passwordStdin === true, terminal)
      : undefined;
    const mustChangePassword = options.permanent !== true;
    const given = password !== undefined && { password, mustChangePassword };
    const body = { userName, ...profile, ...(role && { role }), ...given };
    const { value } = await admin.call('POST /users', { body });
    terminal.stdout.write(`Added "${value.userName}".\n`);
  },
};

/** Changes a user as it was read just now. Refused with status 412 if it was changed meanwhile. */
async function patch(admin: AdminClient, userName: string, bodyFor: (user: RemoteUser) => Patch | undefined) {
  const { value: user, etag } = await admin.call('GET /users/{userName}', { path: { userName } });
  const body = bodyFor(user);
  if (body !== undefined)
    await admin.call('PATCH /users/{userName}', { path: { userName }, body }, { ifMatch: etag });
  return { name: user.userName, isChanged: body !== undefined };
}

/** Whether a change of profile and role changes nothing: an empty text is a field that is missing. */
function isSo({ profile, ownRole }: RemoteUser, { role, ...fields }: Patch): boolean {
  const hasRole = role === undefined || role === (ownRole ?? 'none');
  return (
    hasRole &&
    PROFILE_FIELDS.every((name) => fields[name] === undefined || fields[name] === (profile[name] ?? ''))
  );
}

export const changeUser: RemoteCommand = {
  options: PROFILE_OPTIONS,
  async does(admin, [name = ''], options, { stdout }) {
    const rank = roleIn(options);
    const body = { ...profileIn(options), ...('role' in rank && { role: rank.role ?? ('none' as const) }) };
    if (Object.keys(body).length === 0)
      throw new WrongUsage('Give what to change, such as --email or --role: see --help.');
    const changed = await patch(admin, name, (user) => (isSo(user, body) ? undefined : body));
    stdout.write(`${changed.isChanged ? `Changed "${changed.name}".` : nothingToChange(changed.name)}\n`);
  },
};

/** A command that brings a user into a state. */
function stateCommand(bodyFor: (user: RemoteUser) => Patch | undefined, done: (name: string) => string) {
  return {
    options: [],
    async does(admin, [userName = ''], _, { stdout }) {
      const { name, isChanged } = await patch(admin, userName, bodyFor);
      stdout.write(`${isChanged ? done(name) : nothingToChange(name)}\n`);
    },
  } satisfies RemoteCommand;
}

export const disableUser = stateCommand(
  ({ state }) => (state === 'disabled' ? undefined : { disabled: true }),
  (name) => `Disabled "${name}". Its tickets have ended.`,
);

export const enableUser = stateCommand(
  ({ state }) => (state === 'disabled' ? { disabled: false } : undefined),
  (name) => `Enabled "${name}".`,
);

export const lockUser = stateCommand(
  ({ state, lockedUntil }) =>
    state === 'locked' && lockedUntil === undefined ? undefined : { locked: true },
  (name) => `Locked "${name}". Its tickets are suspended until it is unlocked.`,
);

/** Lifts the lock-out instead of changing the user: operators may do that too. */
export const unlockUser: RemoteCommand = {
  options: [],
  async does(admin, [userName = ''], _, { stdout }) {
    const { value: user } = await admin.call('GET /users/{userName}', { path: { userName } });
    await admin.call('DELETE /lock-outs/{userName}', { path: { userName } });
    stdout.write(`Unlocked "${user.userName}", and forgot the failures of the name.\n`);
  },
};

export const requireNewPassword = stateCommand(
  ({ mustChangePassword }) => (mustChangePassword ? undefined : { mustChangePassword: true }),
  (name) => `"${name}" has to choose a new password at the next sign-in.`,
);

export const keepPassword = stateCommand(
  ({ mustChangePassword }) => (mustChangePassword ? { mustChangePassword: false } : undefined),
  (name) => `"${name}" keeps its password.`,
);

export const setPassword: RemoteCommand = {
  options: ['passwordStdin', 'permanent'],
  async does(admin, [userName = ''], { passwordStdin, permanent }, terminal) {
    const { value: user } = await admin.call('GET /users/{userName}', { path: { userName } });
    const password = await typedPassword(passwordStdin === true, terminal);
    const body = { password, mustChangePassword: permanent !== true };
    await admin.call('PUT /users/{userName}/password', { path: { userName }, body });
    terminal.stdout.write(`Changed the password of "${user.userName}". Its tickets have ended.\n`);
  },
};

export const resetSecondFactor: RemoteCommand = {
  options: [],
  async does(admin, [userName = ''], _, { stdout }) {
    const { value: user } = await admin.call('GET /users/{userName}', { path: { userName } });
    await admin.call('DELETE /users/{userName}/second-factor', { path: { userName } });
    stdout.write(sayReset(user.userName));
  },
};

export const removeUser: RemoteCommand = {
  options: [],
  async does(admin, [userName = ''], _, { stdout }) {
    const { value, etag } = await admin.call('GET /users/{userName}', { path: { userName } });
    await admin.call('DELETE /users/{userName}', { path: { userName } }, { ifMatch: etag });
    stdout.write(`Removed "${value.userName}". Its tickets have ended.\n`);
  },
};
