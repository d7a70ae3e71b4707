import type { Actor } from '../../../core/domain/administration.ts';
import { type Change, changeWith, UNCHANGED } from '../../../core/domain/outcome.ts';
import { faultOfProfile, PROFILE_FIELDS, type Profile, withChanges } from '../../../core/domain/profile.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { Role } from '../../../core/domain/role.ts';
import {
  isLockedByHand,
  isPasswordless,
  type PasswordPages,
  UNTIL_UNLOCKED,
  type User,
  withDisabled,
} from '../../../core/domain/user.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { formerAddressReason } from './former-address.ts';
import { faultOfNameOfUser } from './new-names.ts';

/**
 * Changes the profile of a user: a missing field stays, an empty text removes one. The event names the fields; another
 * one tells the e-mail address that the user had, so that a notice can go there. Every way to change a profile comes through here.
 */
export async function changeProfile(
  unit: WriteUnit,
  user: User,
  changes: Profile,
): Promise<Change | Refusal<'body_invalid'>> {
  const fault = faultOfProfile(changes);
  if (fault !== undefined) return refuse('body_invalid', { detail: fault });
  const before = await unit.profiles.find(user.id);
  const after = withChanges(before, changes);
  const changed = PROFILE_FIELDS.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return UNCHANGED;
  await unit.profiles.put(user.id, after);
  const about = { kind: 'profile-changed', user: user.name, reason: changed.join(', ') } as const;
  if (before.email === undefined || !changed.includes('email')) return changeWith(about);
  const reason = formerAddressReason(before.email);
  return { events: [about, { kind: 'email-changed', user: user.name, reason }] };
}

/** Gives a user another name, which the store finds by this key. Its tickets stay. */
export async function renameUser(
  unit: WriteUnit,
  user: User,
  name: string,
  key: string,
): Promise<Change | Refusal<'body_invalid' | 'name_taken'>> {
  const composed = name.normalize('NFC');
  if (composed === user.name) return UNCHANGED;
  const fault = await faultOfNameOfUser(unit, composed, user);
  if (fault !== undefined) return refuse('body_invalid', { detail: fault });
  if (!(await unit.users.rename(user.id, composed, key)))
    return refuse('name_taken', { detail: `there is a user "${composed}" already: choose another name` });
  return changeWith({ kind: 'user-renamed', user: composed, reason: `was ${user.name} before` });
}

/** Gives a user this role and no other one of its own; takes its role away if it is undefined. Roles by groups stay. */
export async function giveRole(
  unit: WriteUnit,
  user: User,
  role: Role | undefined,
): Promise<Change | Refusal<'password_needed'>> {
  if (role !== undefined && isPasswordless(user))
    return refuse('password_needed', {
      detail:
        'a user without a password has no role, since anybody can log in as it: give it a password first',
    });
  if ((await unit.roles.ownOf(user.id)) === role) return UNCHANGED;
  await unit.roles.give(user.id, role === 'administrator' ? undefined : role);
  await unit.users.change(user.id, { administrator: role === 'administrator' });
  return changeWith({ kind: 'role-changed', user: user.name, reason: role ?? 'none' });
}

/** Disables or enables a user. Disabling ends its tickets for good. */
export async function setDisabled(unit: WriteUnit, user: User, disabled: boolean): Promise<Change> {
  if (user.disabled === disabled) return UNCHANGED;
  await unit.users.change(user.id, withDisabled(user, disabled));
  return changeWith({ kind: disabled ? 'user-disabled' : 'user-enabled', user: user.name });
}

/** Locks a user until it is unlocked. Its tickets are suspended. */
export async function lockUser(unit: WriteUnit, user: User): Promise<Change> {
  if (isLockedByHand(user)) return UNCHANGED;
  await unit.users.change(user.id, { lockedUntil: UNTIL_UNLOCKED });
  return changeWith({ kind: 'lock', user: user.name });
}

/** Ends a lock-out, and forgets the failures that are counted under the name. `forget` does that. */
export async function unlockUser(
  unit: WriteUnit,
  user: User,
  forget: ForgetFailures | undefined,
): Promise<Change> {
  if (forget === undefined) throw new Error('a user is unlocked, and nobody forgets its failures');
  await unit.users.change(user.id, { lockedUntil: 0 });
  await forget(unit, user.key);
  return changeWith({ kind: 'unlock', user: user.name });
}

/** Forgets the failures that are counted under this key of a name. */
export type ForgetFailures = (unit: WriteUnit, key: string) => Promise<void>;

/** A password to set, and whether the user has to choose another one at the next sign-in. */
export type PasswordToSet = Pick<User, 'mustChangePassword'> & { readonly passwordHash: string };

/** Why the password of this user cannot be set here, and where it is changed; undefined if it can. */
export function passwordElsewhere(
  { name, provider }: Pick<User, 'name' | 'provider'>,
  pages: PasswordPages,
): Refusal<'password_elsewhere'> | undefined {
  if (provider === undefined) return undefined;
  const place = provider === 'ldap' ? 'the directory' : `the identity provider "${provider}"`;
  const page = pages[provider];
  const mend = page === undefined ? 'change it there' : `change it at ${page}`;
  return refuse('password_elsewhere', { detail: `${place} has the password of "${name}": ${mend}` });
}

/**
 * Sets a password. All tickets of the user end, unless the caller moves one to the new generation. The password of a
 * user of a directory or an identity provider is set there.
 */
export async function setPassword(
  unit: WriteUnit,
  user: User,
  password: PasswordToSet,
  pages: PasswordPages,
): Promise<Change | Refusal<'password_elsewhere'>> {
  const elsewhere = passwordElsewhere(user, pages);
  if (elsewhere !== undefined) return elsewhere;
  const { passwordHash, mustChangePassword } = password;
  await unit.users.change(user.id, {
    passwordHash,
    mustChangePassword,
    generation: user.generation + 1,
  });
  return changeWith({ kind: 'password-changed', user: user.name });
}

/** Has the sign-in page ask the user for a new password, or not. Tickets stay, and logins of programs go on. */
export async function requireNewPassword(
  unit: WriteUnit,
  user: User,
  required: boolean,
): Promise<Change | Refusal<'password_needed' | 'password_elsewhere'>> {
  if (user.mustChangePassword === required) return UNCHANGED;
  const elsewhere = passwordElsewhere(user, {});
  if (elsewhere !== undefined) return elsewhere;
  if (user.passwordHash === undefined)
    return refuse('password_needed', {
      detail: 'a user without a password has none to change: give it a password first',
    });
  await unit.users.change(user.id, { mustChangePassword: required });
  return changeWith({ kind: required ? 'new-password-required' : 'new-password-waived', user: user.name });
}

/** Removes a user with everything that belongs to it. */
export async function removeUser(unit: WriteUnit, user: User): Promise<Change> {
  await unit.users.remove(user.id);
  return changeWith({ kind: 'user-removed', user: user.name });
}

class Undone extends Error {}

/** Makes a change, in a part of the unit of which nothing stays if it is forbidden. */
export async function allOrNothing<T extends object>(unit: WriteUnit, change: () => Promise<T>): Promise<T> {
  const outcomes: T[] = [];
  const fault = await unit.aside(async () => {
    const outcome = await change();
    outcomes.push(outcome);
    if (isRefusal(outcome)) throw new Undone();
  });
  if (fault !== undefined && !(fault instanceof Undone)) throw fault;
  return outcomes[0] as T;
}

const LAST_ADMINISTRATOR = refuse('last_administrator', {
  detail:
    'this would leave no administrator: make another user an administrator first, or do it on the command line of the server',
});

/** Who makes a change. */
export type ChangingActor = Pick<Actor, 'onMachine'>;

/**
 * Makes a change unless it is forbidden itself, or would leave no administrator, of itself or by a group, who is neither
 * disabled nor locked: then nothing of it stays. The operator on the machine may leave none.
 */
export async function keepingAnAdministrator<T extends object>(
  unit: WriteUnit,
  change: () => Promise<T>,
  { onMachine }: ChangingActor = {},
): Promise<T | Refusal<'last_administrator'>> {
  if (onMachine) return allOrNothing(unit, change);
  const outcome = await allOrNothing<T | typeof LAST_ADMINISTRATOR>(unit, async () => {
    const result = await change();
    return isRefusal(result) || (await unit.roles.hasAdministrator()) ? result : LAST_ADMINISTRATOR;
  });
  if (outcome !== LAST_ADMINISTRATOR || (await unit.roles.hasAdministrator())) return outcome;
  // If there was no administrator before, for example because only API keys administer, there is none to keep.
  return allOrNothing(unit, change);
}
