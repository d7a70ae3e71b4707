import { type Forbidden, forbid, type Made, made } from '../../../core/domain/outcome.ts';
import { faultOfProfile, type Profile, withChanges } from '../../../core/domain/profile.ts';
import type { Role } from '../../../core/domain/role.ts';
import { isPasswordless, newUser, type User } from '../../../core/domain/user.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { faultOfNameOfUser } from './new-names.ts';

/** A user to be added. */
interface UserToAdd {
  readonly name: string;
  /** The key by which the store is to find it. */
  readonly key: string;
  /** Undefined for a user whom any password logs in, and for a user of a provider. */
  readonly passwordHash: string | undefined;
  /** The directory or the identity provider that the user belongs to; undefined for a local user. */
  readonly provider?: string | undefined;
  readonly mustChangePassword: boolean;
  readonly disabled: boolean;
  readonly role: Role | undefined;
  /** An empty text counts as missing. */
  readonly profile: Profile;
}

/** Adds a user with its profile and its role. */
export async function addUser(
  unit: WriteUnit,
  { name, key, passwordHash, provider, mustChangePassword, disabled, role, profile }: UserToAdd,
): Promise<(Made & { readonly user: User }) | Forbidden<'invalid' | 'taken' | 'passwordless'>> {
  const fault = (await faultOfNameOfUser(unit, name)) ?? faultOfProfile(profile);
  if (fault !== undefined) return forbid('invalid', fault);
  if (role !== undefined && isPasswordless({ passwordHash, provider }))
    return forbid(
      'passwordless',
      'a user without a password has no role: give a password, or leave out the role',
    );
  if (mustChangePassword && passwordHash === undefined)
    return forbid('passwordless', 'a user without a password has none to change: give a password');
  const administrator = role === 'administrator';
  const from = provider === undefined ? {} : { provider };
  const user = { passwordHash, mustChangePassword, administrator, disabled, ...from };
  return add(unit, { ...newUser(name, { namesCaseSensitive: true, ...user }), key }, role, profile);
}

async function add(unit: WriteUnit, wanted: Omit<User, 'id'>, role: Role | undefined, profile: Profile) {
  const user = await unit.users.add(wanted);
  if (user === undefined) return taken(unit, wanted);
  if (role !== undefined && role !== 'administrator') await unit.roles.give(user.id, role);
  const known = withChanges({}, profile);
  if (Object.keys(known).length > 0) await unit.profiles.put(user.id, known);
  return { user, ...made({ kind: 'user-added', user: user.name, reason: role }) };
}

async function taken(
  { users }: WriteUnit,
  { name, key }: Pick<User, 'name' | 'key'>,
): Promise<Forbidden<'taken'>> {
  const other = (await users.findByKey(key))?.name;
  const differs = other === name ? '' : ', and names that differ by case only are the same';
  return forbid(
    'taken',
    `there is a user "${other}" already${differs}: choose another name, or change that user`,
  );
}
