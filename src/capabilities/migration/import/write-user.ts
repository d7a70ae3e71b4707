import { groupKey } from '../../../core/domain/group.ts';
import { PROFILE_FIELDS, withChanges } from '../../../core/domain/profile.ts';
import { newUser, type User, withDisabled } from '../../../core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import { record, recorded } from '../../../faces/cli/record.ts';
import { isComputed, joinNamedGroups } from '../../people/rules/groups.ts';
import { faultOfNameOfUser } from '../../people/rules/new-names.ts';
import { changeProfile } from '../../people/rules/users.ts';
import { type AppPasswordInLine, missingAppPasswords } from './app-passwords-in-line.ts';
import type { UserInLine } from './user-line.ts';

/** What becomes of a line. */
export type ImportOutcome = 'added' | 'updated' | 'unchanged' | { readonly refused: string };

/** The reads that a line needs. */
export type PeopleRead = Pick<
  ReadUnit,
  'appPasswords' | 'profiles' | 'groups' | 'roles' | 'externalIdentities' | 'externalIds'
>;

/** Adds the user of a line. `passwordHash` is undefined if a provider has the password. */
export async function addUserInLine(
  unit: WriteUnit,
  line: UserInLine,
  passwordHash: string | undefined,
  namesCaseSensitive: boolean,
  now: number,
): Promise<ImportOutcome> {
  const { name, role, profile, groups, identity, disabled = false, mustChangePassword = false } = line;
  const faultOfName = await faultOfNameOfUser(unit, name);
  if (faultOfName !== undefined) return { refused: `has a name that no new user can have: ${faultOfName}` };
  const fault =
    (identity && (await faultOfIdentity(unit, identity, undefined))) ??
    (await faultOfExternalId(unit, line.externalId, undefined));
  if (fault !== undefined) return { refused: fault };
  const missing = await missingAppPasswords(unit, undefined, line.appPasswords, now);
  if (typeof missing === 'string') return { refused: missing };
  const administrator = role === 'administrator';
  const provider = identity && { provider: identity.provider };
  const state = { passwordHash, administrator, disabled, mustChangePassword, ...provider };
  const user = await unit.users.add(newUser(name, { namesCaseSensitive, ...state }));
  if (user === undefined) return { refused: 'names a user that was added meanwhile: import the file again' };
  if (identity !== undefined)
    await unit.externalIdentities.put({ ...identity, userId: user.id, checkedAt: 0, disabledThere: false });
  if (line.externalId !== undefined) await unit.externalIds.put('user', user.id, line.externalId);
  await unit.profiles.put(user.id, withChanges({}, profile));
  if (role !== undefined && role !== 'administrator') await unit.roles.give(user.id, role);
  const reason = role === undefined ? 'imported' : `imported, ${role}`;
  await record(unit, now, { kind: 'user-added', user: name, reason });
  await recorded(unit, now, await joinNamedGroups(unit, { user }, groups));
  await addAppPasswords(unit, user, missing, now);
  return 'added';
}

async function addAppPasswords(
  unit: WriteUnit,
  user: User,
  appPasswords: readonly AppPasswordInLine[],
  now: number,
): Promise<void> {
  for (const each of appPasswords) {
    await unit.appPasswords.add({ ...each, userId: user.id });
    await record(unit, now, { kind: 'app-password-added', user: user.name, reason: each.name });
  }
}

/**
 * Whether an existing user has to choose a new password after the import. If the line does not say, a new hash counts as chosen
 * by the user; without a new hash nothing changes.
 */
export function mustChange(line: UserInLine, existing: User, passwordHash: string | undefined): boolean {
  if ((passwordHash ?? existing.passwordHash) === undefined) return false;
  return line.mustChangePassword ?? (passwordHash === undefined && existing.mustChangePassword);
}

/** Why the provider or subject of a line does not fit the existing user, or a new one; undefined if it fits. */
export async function faultOfIdentity(
  { externalIdentities }: Pick<ReadUnit, 'externalIdentities'>,
  identity: UserInLine['identity'],
  existing: User | undefined,
): Promise<string | undefined> {
  if (identity === undefined)
    return existing?.provider === undefined
      ? undefined
      : `has no provider, and the user here belongs to ${existing.provider}: add "provider" and "subject", or remove the user first if it is to be a local one`;
  if (existing !== undefined && existing.provider !== identity.provider)
    return `belongs to ${identity.provider}, and the user here ${existing.provider === undefined ? 'is a local one' : `to ${existing.provider}`}: remove that user first if this is the same person`;
  const own = existing && (await externalIdentities.ofUser(existing.id));
  if (own !== undefined && own.subject !== identity.subject)
    return `has another subject than the user here, so it is another person of ${identity.provider}: remove that user first, or give this one another name`;
  const known = await externalIdentities.find(identity.provider, identity.subject);
  return known === undefined || known.userId === existing?.id
    ? undefined
    : `has the subject of another user here: each person of ${identity.provider} is one user`;
}

/** Why the external id of a line does not fit the existing user, or a new one; undefined if it fits. */
export async function faultOfExternalId(
  { externalIds }: Pick<ReadUnit, 'externalIds'>,
  externalId: string | undefined,
  existing: User | undefined,
): Promise<string | undefined> {
  if (externalId === undefined) return undefined;
  const owners = await externalIds.find('user', externalId);
  return owners.some((id) => id !== existing?.id)
    ? 'has the externalId of another user here: each is given once'
    : undefined;
}

/** Whether the user has the external id of a line, or the line gives none. */
async function hasExternalId(
  { externalIds }: Pick<ReadUnit, 'externalIds'>,
  { id }: Pick<User, 'id'>,
  externalId: string | undefined,
): Promise<boolean> {
  return externalId === undefined || (await externalIds.of('user', [id])).get(id) === externalId;
}

/** Whether the user has the profile and the external id, and is in the groups that the line gives. */
export async function isAsSaid(
  unit: PeopleRead,
  { id }: User,
  { profile, groups, externalId }: UserInLine,
): Promise<boolean> {
  if (!(await hasExternalId(unit, { id }, externalId))) return false;
  const before = await unit.profiles.find(id);
  const after = withChanges(before, profile);
  if (PROFILE_FIELDS.some((field) => before[field] !== after[field])) return false;
  const stored = groups.filter(({ name }) => !isComputed(name));
  if (stored.length === 0) return true;
  const own = (await unit.groups.ofUser(id)).filter(({ direct }) => direct).map(({ key }) => key);
  return stored.every(({ name }) => own.includes(groupKey(name)));
}

/** Changes an existing user as a line says. A new password and disabling end the tickets, as everywhere. */
export async function changeUserInLine(
  unit: WriteUnit,
  existing: User,
  line: UserInLine,
  passwordHash: string | undefined,
  now: number,
): Promise<ImportOutcome> {
  const missing = await missingAppPasswords(unit, existing, line.appPasswords, now);
  if (typeof missing === 'string') return { refused: missing };
  const { profile, groups, disabled = existing.disabled } = line;
  const about = { user: existing.name, reason: 'imported' };
  const password = passwordHash === undefined ? {} : { passwordHash, generation: existing.generation + 1 };
  const state = disabled === existing.disabled ? {} : withDisabled(existing, disabled);
  const mustChangePassword = mustChange(line, existing, passwordHash);
  await unit.users.change(existing.id, { ...password, ...state, mustChangePassword });
  if (passwordHash !== undefined) await record(unit, now, { kind: 'password-changed', ...about });
  if (disabled !== existing.disabled)
    await record(unit, now, { kind: disabled ? 'user-disabled' : 'user-enabled', ...about });
  if (mustChangePassword && !existing.mustChangePassword)
    await record(unit, now, { kind: 'new-password-required', ...about });
  await recorded(unit, now, await changeProfile(unit, existing, profile));
  if (!(await hasExternalId(unit, existing, line.externalId))) {
    await unit.externalIds.put('user', existing.id, line.externalId);
    await record(unit, now, { kind: 'profile-changed', user: existing.name, reason: 'externalId' });
  }
  await recorded(unit, now, await joinNamedGroups(unit, { user: existing }, groups));
  await addAppPasswords(unit, existing, missing, now);
  return 'updated';
}
