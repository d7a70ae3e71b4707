import { groupKey } from '../../../core/domain/group.ts';
import { PROFILE_FIELDS, withChanges } from '../../../core/domain/profile.ts';
import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import { totpPurpose } from '../../../core/domain/second-factor.ts';
import type { User } from '../../../core/domain/user.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import { record, recorded } from '../../../faces/cli/record.ts';
import { addApp } from '../../factors/rules/second-factors.ts';
import { totpSecretIn } from '../../factors/second-factor/totp.ts';
import { addUser, bringUser } from '../../people/rules/bring-user.ts';
import { faultOfExternalId } from '../../people/rules/external-ids.ts';
import { isComputed } from '../../people/rules/groups.ts';
import { type AppPasswordInLine, missingAppPasswords } from './app-passwords-in-line.ts';
import type { UserInLine } from './user-line.ts';

/** What becomes of a line. */
export type ImportOutcome = 'added' | 'updated' | 'unchanged' | { readonly refused: string };

/** The reads that a line needs. */
export type PeopleRead = Pick<
  ReadUnit,
  'appPasswords' | 'profiles' | 'groups' | 'roles' | 'externalIdentities' | 'externalIds'
>;

const RULES = { reason: 'imported' };

const impossible = ({ detail }: Refusal) => ({ refused: `cannot be: ${detail}` });

/**
 * Adds the user of a line. `passwordHash` is undefined if a provider has the password. `sealer` encrypts the secret of an
 * authenticator app.
 */
export async function addUserInLine(
  unit: WriteUnit,
  line: UserInLine,
  passwordHash: string | undefined,
  sealer: Sealer | undefined,
  now: number,
): Promise<ImportOutcome> {
  const missing = await missingAppPasswords(unit, undefined, line.appPasswords, now);
  if (typeof missing === 'string') return { refused: missing };
  const desired = {
    ...line,
    passwordHash,
    identity: line.identity && { ...line.identity, checkedAt: 0, disabledThere: false },
    groups: { join: line.groups },
  };
  const added = await addUser(unit, desired, RULES);
  if (isRefusal(added))
    return added.refused === 'name_taken'
      ? { refused: 'names a user that was added meanwhile: import the file again' }
      : impossible(added);
  await recorded(unit, now, added);
  await addAppPasswords(unit, added.user, missing, now);
  if (line.totpSecret !== undefined && sealer !== undefined) {
    const secret = sealer.seal(totpPurpose(added.user.id), await totpSecretIn(line.totpSecret));
    await recorded(unit, now, await addApp(unit, added.user, { secret, step: 0, now }));
  }
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

/** Why the external id of a line does not fit the existing user, or a new one; undefined if it fits. */
export async function whyNoExternalId(
  unit: PeopleRead,
  externalId: string | undefined,
  existing: User | undefined,
): Promise<string | undefined> {
  if (externalId === undefined) return undefined;
  const fault = await faultOfExternalId(unit, 'user', externalId, { id: existing?.id });
  return fault && impossible(fault).refused;
}

/** Whether the user has the profile and the external id, and is in the groups that the line gives. */
export async function isAsSaid(
  unit: PeopleRead,
  { id }: User,
  { profile, groups, externalId }: UserInLine,
): Promise<boolean> {
  if (externalId !== undefined && (await unit.externalIds.of('user', [id])).get(id) !== externalId)
    return false;
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
  const { profile, groups, externalId } = line;
  const desired = {
    passwordHash,
    mustChangePassword: mustChange(line, existing, passwordHash),
    profile,
    externalId,
    // A user whom its provider disabled is left to the provider if the line says what is so already.
    disabled: line.disabled === existing.disabled ? undefined : line.disabled,
    groups: { join: groups },
  };
  const outcome = await bringUser(unit, existing, desired, RULES);
  if (isRefusal(outcome)) return impossible(outcome);
  await recorded(unit, now, outcome);
  await addAppPasswords(unit, existing, missing, now);
  return 'updated';
}
