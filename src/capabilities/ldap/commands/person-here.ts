import { DIRECTORY } from '../../../core/domain/external-identity.ts';
import { type Group, groupKey } from '../../../core/domain/group.ts';
import { highestRole } from '../../../core/domain/role.ts';
import { faultOfName, isLockedByHand, type User, userKey } from '../../../core/domain/user.ts';
import type { Settings } from '../../../core/settings/table.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { faultOfNameOfUser } from '../../people/rules/new-names.ts';
import type { CheckedPerson } from '../check/person.ts';
import type { CheckStep } from '../check/steps.ts';

const ok = (name: string, found: string): CheckStep => ({ name, ok: true, found });
const wrong = (name: string, found: string): CheckStep => ({ name, ok: false, found });

/** The state of the user that the person is here already. */
function knownUser({ name, disabled, lockedUntil }: User, disabledThere: boolean): CheckStep {
  if (disabled && !disabledThere)
    return wrong('user', `"${name}" is disabled here: enable it with 'tessera users enable'.`);
  if (isLockedByHand({ lockedUntil }))
    return wrong('user', `"${name}" is locked here by hand: unlock it with 'tessera users unlock'.`);
  return ok('user', `"${name}" is the user of this person`);
}

/** What the first login of a person would do. */
async function newUserStep(unit: ReadUnit, name: string, settings: Settings): Promise<CheckStep> {
  const { namesCaseSensitive, ldapTakesLocalNames } = settings;
  const key = userKey(name, namesCaseSensitive);
  const other = await unit.users.findByKey(key);
  const fault = other === undefined ? await faultOfNameOfUser(unit, name) : faultOfName(name);
  if (fault !== undefined) return wrong('user', `No user can have this name here: ${fault}.`);
  if (other === undefined)
    return (await unit.users.wasRemoved(key))
      ? wrong(
          'user',
          `A user "${name}" was removed here, and no login adds that name again: give the person another name in the directory.`,
        )
      : ok('user', 'the first login adds the user');
  if (other.provider !== undefined)
    return wrong(
      'user',
      `"${other.name}" is another person here, of ${other.provider}: remove that user, or give one of the two another name.`,
    );
  if (!ldapTakesLocalNames)
    return wrong(
      'user',
      `"${other.name}" is a local user here, so the directory is not asked about the name: remove that user, or set TESSERA_LDAP_TAKES_LOCAL_NAMES=true.`,
    );
  return (await unit.roles.of(other.id)) === undefined
    ? ok('user', `the first login takes over the local user "${other.name}"`)
    : wrong(
        'user',
        `"${other.name}" is a local user with a role here, which no login takes over: take the role away, or remove that user.`,
      );
}

/** The roles that a group gives here: its own, and the roles of the groups that contain it. */
async function rolesOf({ groups }: ReadUnit, name: string): Promise<readonly Group[]> {
  const first = await groups.findByKey(groupKey(name));
  const found = new Map<number, Group>(first ? [[first.id, first]] : []);
  for (const { id } of found.values())
    for (const outer of await groups.containing(id)) found.set(outer.id, outer);
  return [...found.values()].filter(({ role }) => role !== undefined);
}

async function roleStep(
  unit: ReadUnit,
  user: User | undefined,
  groups: readonly string[],
  admitted: readonly string[],
): Promise<CheckStep> {
  const admittedKeys = new Set(admitted.map(groupKey));
  const [joined, barred] = [true, false].map((is) =>
    groups.filter((name) => admittedKeys.has(groupKey(name)) === is),
  ) as [string[], string[]];
  const withRole = (await Promise.all(joined.map((name) => rolesOf(unit, name)))).flat();
  for (const name of barred)
    if ((await rolesOf(unit, name)).length > 0)
      return wrong(
        'role',
        `the group ${name} gives a role here, so nobody joins it by the directory: name it in TESSERA_LDAP_ROLE_GROUPS if the directory may give that role.`,
      );
  const own = user && (await unit.roles.ownOf(user.id));
  const roles = withRole.flatMap(({ role }) => role ?? []);
  const highest = highestRole(own === undefined ? roles : [...roles, own]);
  if (highest === undefined) return ok('role', 'none');
  const by = withRole.find(({ role }) => role === highest);
  return ok('role', own === highest || by === undefined ? highest : `${highest}, by the group ${by.name}`);
}

/** What the person is here, and the role that its groups give. */
export async function personHere(
  unit: ReadUnit,
  { person, groups }: CheckedPerson,
  settings: Settings,
): Promise<readonly CheckStep[]> {
  const identity = await unit.externalIdentities.find(DIRECTORY, person.subject);
  const user = identity && (await unit.users.find(identity.userId));
  const step =
    user === undefined
      ? await newUserStep(unit, person.name, settings)
      : knownUser(user, identity?.disabledThere === true);
  const admitted = [...settings.ldapRoleGroups, ...(identity?.groups ?? [])];
  return [step, await roleStep(unit, user, groups, admitted)];
}
