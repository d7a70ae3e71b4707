import type { AppPassword } from '../../../core/domain/app-password.ts';
import type { ExternalIdentity } from '../../../core/domain/external-identity.ts';
import type { Group } from '../../../core/domain/group.ts';
import { isoTime } from '../../../core/domain/iso-time.ts';
import type { Profile } from '../../../core/domain/profile.ts';
import type { Role } from '../../../core/domain/role.ts';
import { isPasswordless, UNTIL_UNLOCKED, type User } from '../../../core/domain/user.ts';
import type { ReadUnit, Store } from '../../../core/storage/store.ts';
import { visible } from '../../../core/visible.ts';
import { print } from '../../../faces/cli/print.ts';
import type { Terminal } from '../../../faces/cli/terminal.ts';
import { readableHash } from '../foreign/read.ts';
import { faultOfImportedName } from '../import/user-line.ts';

const PAGE = 1_000;

/** Counts of users that an import would make different. */
interface Lost {
  name: number;
  hash: number;
  password: number;
  lock: number;
}

const written = (line: object) => `${visible(JSON.stringify(line))}\n`;

/** The members of a user's line beside the password. `administrator` stands for the role of an administrator. */
interface PersonInLine {
  readonly role: Role | undefined;
  readonly profile: Profile;
  /** Who the person is at its provider, if it has one. */
  readonly identity: ExternalIdentity | undefined;
  /** The id that a provisioning system gave. */
  readonly externalId: string | undefined;
  /** The names of the groups that contain the user itself. */
  readonly groups: readonly string[];
  readonly appPasswords: readonly AppPassword[];
}

async function personOf(
  unit: ReadUnit,
  { id, administrator, provider }: User,
  profile: Profile,
  externalId: string | undefined,
): Promise<PersonInLine> {
  const [groups, role, appPasswords, identity] = await Promise.all([
    unit.groups.ofUser(id),
    unit.roles.ownOf(id),
    unit.appPasswords.ofUser(id),
    provider === undefined ? undefined : unit.externalIdentities.ofUser(id),
  ]);
  return {
    role: administrator ? undefined : role,
    profile,
    identity,
    externalId,
    groups: groups.filter(({ direct }) => direct).map(({ name }) => name),
    appPasswords,
  };
}

/** The lines of all groups. A group comes after the groups that contain it, so an import has added them already. */
async function* groupLines(store: Store): AsyncGenerator<string> {
  const done = new Set<number>();
  const linesOf = async (unit: ReadUnit, group: Group): Promise<string> => {
    if (done.has(group.id)) return '';
    done.add(group.id);
    const outer = await unit.groups.containing(group.id);
    let before = '';
    for (const each of outer) before += await linesOf(unit, each);
    const { name, displayName, role } = group;
    const externalId = (await unit.externalIds.of('group', [group.id])).get(group.id);
    const groups = outer.length === 0 ? undefined : outer.map((each) => each.name);
    return before + written({ group: name, displayName, externalId, role, groups });
  };
  let page: Group[] = [];
  do {
    const after = page.at(-1);
    page = await store.read((unit) => unit.groups.page('', after, PAGE));
    for (const group of page) yield await store.read((unit) => linesOf(unit, group));
  } while (page.length === PAGE);
}

/** An app password in its user's line. With its digest it also works after an import. */
function appPasswordInLine({ name, digest, madeAt, expiresAt, addresses }: AppPassword) {
  return {
    name,
    digest: digest.toString('hex'),
    madeAt: isoTime(madeAt),
    expiresAt: isoTime(expiresAt),
    addresses: addresses.length === 0 ? undefined : addresses,
  };
}

/**
 * The line of a user for `users import`. A user who is locked by hand is written as disabled. Counts what the line
 * cannot carry.
 */
function lineOf(user: User, person: PersonInLine, lost: Lost): string {
  const { role, profile, groups, identity, externalId, appPasswords } = person;
  const { name, administrator, passwordHash, mustChangePassword } = user;
  if (faultOfImportedName(name) !== undefined) lost.name += 1;
  const hash = readableHash(passwordHash);
  const locked = user.lockedUntil === UNTIL_UNLOCKED;
  if (isPasswordless(user)) lost.password += 1;
  else if (passwordHash !== undefined && hash === undefined) lost.hash += 1;
  if (locked) lost.lock += 1;
  const disabled = user.disabled || locked;
  return written({
    name,
    administrator,
    disabled,
    passwordHash: hash,
    mustChangePassword: mustChangePassword || undefined,
    provider: identity?.provider,
    subject: identity?.subject,
    providerGroups: identity?.groups.length ? identity.groups : undefined,
    externalId,
    role,
    ...profile,
    groups: groups.length === 0 ? undefined : groups,
    appPasswords: appPasswords.length === 0 ? undefined : appPasswords.map(appPasswordInLine),
  });
}

/** The text about users that an import would make different. */
function summary({ name, hash, password, lock }: Lost): string {
  const lines = [
    [name, "with a name that an import refuses, as with white space at an end: 'tessera users add' takes it"],
    [
      hash,
      "without the hash, since no import reads it before the next login here: import the line with --without-hash, and give a password with 'tessera users passwd'",
    ],
    [password, "without a password: 'tessera users add --no-password' makes such a user"],
    [lock, 'without the lock by hand, printed as disabled in its place'],
  ] as const;
  return lines
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count === 1 ? '1 user' : `${count} users`} ${what}.\n`)
    .join('');
}

/** Prints the lines of all groups and users of the store. On the error output it says which users an import would make different. */
export async function printPeople(store: Store, terminal: Terminal): Promise<void> {
  const lost: Lost = { name: 0, hash: 0, password: 0, lock: 0 };
  for await (const line of groupLines(store)) if (!(await print(terminal, line))) return;
  let page: User[] = [];
  do {
    const after = page.at(-1);
    const lines = await store.read(async (unit) => {
      page = await unit.users.page(after, PAGE);
      const ids = page.map(({ id }) => id);
      const profiles = await unit.profiles.ofUsers(ids);
      const externalIds = await unit.externalIds.of('user', ids);
      const people = page.map((user) =>
        personOf(unit, user, profiles.get(user.id) ?? {}, externalIds.get(user.id)),
      );
      return (await Promise.all(people)).map((person, index) => lineOf(page[index] as User, person, lost));
    });
    if (!(await print(terminal, lines.join('')))) return;
  } while (page.length === PAGE);
  terminal.stderr.write(summary(lost));
}
