import type { ChangeEvent } from '../../../core/domain/event.ts';
import type { ExternalIdentity } from '../../../core/domain/external-identity.ts';
import { freedNameKey } from '../../../core/domain/freed-name.ts';
import { groupKey } from '../../../core/domain/group.ts';
import type { Change } from '../../../core/domain/outcome.ts';
import { faultOfProfile, type Profile, withChanges } from '../../../core/domain/profile.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { Role } from '../../../core/domain/role.ts';
import { isPasswordless, newUser, type PasswordPages, type User } from '../../../core/domain/user.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { externalIdOf, type Provisioning, setExternalId } from './external-ids.ts';
import { faultOfFreedName, keepFreedName } from './freed-names.ts';
import { type DesiredGroups, regroup } from './groups.ts';
import { faultOfNameOfUser } from './new-names.ts';
import {
  allOrNothing,
  type ChangingActor,
  changeProfile,
  type ForgetFailures,
  giveRole,
  keepingAnAdministrator,
  lockUser,
  removeUser,
  renameUser,
  requireNewPassword,
  setDisabled,
  setPassword,
  unlockUser,
} from './users.ts';

/** The state that a user is to have. A member that is undefined stays as it is. */
export interface DesiredUser {
  /** Another name, with the key by which the store is to find it. */
  readonly rename?: Pick<User, 'name' | 'key'> | undefined;
  /** Another password: it ends the tickets. */
  readonly passwordHash?: string | undefined;
  /** False with another password, unless it says otherwise. */
  readonly mustChangePassword?: boolean | undefined;
  /** A missing field stays, an empty text removes one. */
  readonly profile?: Profile | undefined;
  /** Null takes it away. */
  readonly externalId?: string | null | undefined;
  /** The role of the user itself; `none` takes it away. */
  readonly role?: Role | 'none' | undefined;
  /** Disabling ends the tickets for good. What is said here holds, whatever the provider of the user said before. */
  readonly disabled?: boolean | undefined;
  readonly locked?: boolean | undefined;
  readonly groups?: DesiredGroups | undefined;
}

/** A user to be added. A member that is undefined is as usual for a new user. */
export interface UserToAdd extends Omit<DesiredUser, 'rename'>, Pick<User, 'name' | 'key'> {
  /** The directory or the identity provider that the user belongs to. Without it and without a password, any password logs it in. */
  readonly provider?: string | undefined;
  /** The user's identity at its provider, if that is known. */
  readonly identity?: Omit<ExternalIdentity, 'userId'> | undefined;
}

/** What a change needs beside the state that it leads to. */
export interface ChangeRules {
  /** Who provisions: names that it frees go to no other person for a while. Undefined for administrators and for files of theirs. */
  readonly provisioning?: Provisioning | undefined;
  /** Forgets the failures of a user who is unlocked. */
  readonly forget?: ForgetFailures;
  readonly passwordPages?: PasswordPages;
  /** Who makes the change. Only the operator on the machine may leave the service without an administrator. */
  readonly actor?: ChangingActor;
  /** The reason in the events that have none of their own. */
  readonly reason?: string;
  /** The caller itself keeps an administrator over all of its changes, or must not: then it undoes a forbidden change, too. */
  readonly unguarded?: boolean;
}

/** Why each member may be forbidden. */
interface FaultsBy {
  readonly rename: 'body_invalid' | 'name_taken';
  readonly passwordHash: 'password_elsewhere';
  readonly mustChangePassword: 'password_needed' | 'password_elsewhere';
  readonly profile: 'body_invalid';
  readonly externalId: 'body_invalid' | 'name_taken';
  readonly role: 'password_needed';
  readonly groups: 'body_invalid' | 'name_taken';
}

type FaultOf<D> = 'last_administrator' | (D extends DesiredUser ? FaultsBy[keyof D & keyof FaultsBy] : never);

/**
 * Brings a user into a state, or removes it (`absent`): all of it, or nothing if a part is forbidden or no administrator would be
 * left. The events name what differed before.
 */
export async function bringUser<const D extends DesiredUser | 'absent'>(
  unit: WriteUnit,
  user: User,
  desired: D,
  rules: ChangeRules = {},
): Promise<Change | Refusal<FaultOf<D>>> {
  const change = () =>
    desired === 'absent' ? remove(unit, user, rules) : makeAs(unit, user, desired, rules);
  const guard = rules.unguarded
    ? undefined
    : mayEndAdministration(desired)
      ? keepingAnAdministrator
      : allOrNothing;
  const outcome: Change | Refusal = await (guard === undefined ? change() : guard(unit, change, rules.actor));
  return outcome as Change | Refusal<FaultOf<D>>;
}

function mayEndAdministration(desired: DesiredUser | 'absent'): boolean {
  if (desired === 'absent') return true;
  const { role = 'administrator', disabled, locked, groups } = desired;
  const leaves = groups?.leave ?? [];
  return role !== 'administrator' || disabled === true || locked === true || leaves.length > 0;
}

async function remove(unit: WriteUnit, user: User, { provisioning }: ChangeRules): Promise<Change> {
  if (provisioning !== undefined) await keepName(unit, user, provisioning);
  return removeUser(unit, user);
}

async function keepName(unit: WriteUnit, user: User, { provider, now }: Provisioning): Promise<void> {
  await keepFreedName(unit, user, await externalIdOf(unit, user, provider), now);
}

type ChangeStep = () => Promise<Change | Refusal>;

async function inOrder(steps: readonly ChangeStep[], reason?: string): Promise<Change | Refusal> {
  const events: ChangeEvent[] = [];
  for (const step of steps) {
    const outcome = await step();
    if (isRefusal(outcome)) return outcome;
    for (const event of outcome.events) events.push({ ...event, reason: event.reason ?? reason });
  }
  return { events };
}

/** The password comes before the role: a user without one can have none. */
function makeAs(
  unit: WriteUnit,
  before: User,
  desired: DesiredUser,
  rules: ChangeRules,
): Promise<Change | Refusal> {
  const { rename, passwordHash, mustChangePassword, profile, role, disabled } = desired;
  const named = rename === undefined ? before : { ...before, ...rename, name: rename.name.normalize('NFC') };
  const user =
    passwordHash === undefined ? named : { ...named, passwordHash, generation: named.generation + 1 };
  const steps: ChangeStep[] = [];
  if (rename !== undefined) steps.push(() => renameTo(unit, before, rename, rules));
  if (passwordHash !== undefined)
    steps.push(() => givePassword(unit, named, { ...desired, passwordHash }, rules));
  else if (mustChangePassword !== undefined)
    steps.push(() => requireNewPassword(unit, user, mustChangePassword));
  if (profile !== undefined) steps.push(() => changeProfile(unit, user, profile));
  if (role !== undefined) steps.push(() => giveRole(unit, user, role === 'none' ? undefined : role));
  if (disabled !== undefined) steps.push(() => setDisabledHere(unit, user, disabled));
  return inOrder([...steps, ...placingSteps(unit, user, desired, rules)], rules.reason);
}

/** What a user gets once it is there: its `externalId`, its lock and its groups. */
function placingSteps(
  unit: WriteUnit,
  user: User,
  { externalId, locked, groups }: DesiredUser,
  { provisioning, forget }: ChangeRules,
): ChangeStep[] {
  const steps: ChangeStep[] = [];
  if (externalId !== undefined) steps.push(() => setExternalId(unit, { user }, externalId, provisioning));
  if (locked === true) steps.push(() => lockUser(unit, user));
  if (locked === false) steps.push(() => unlockUser(unit, user, forget));
  if (groups !== undefined) steps.push(() => regroup(unit, { user }, groups));
  return steps;
}

async function renameTo(
  unit: WriteUnit,
  user: User,
  { name, key }: Pick<User, 'name' | 'key'>,
  { provisioning }: ChangeRules,
): Promise<Change | Refusal<'body_invalid' | 'name_taken'>> {
  if (provisioning !== undefined && freedNameKey(name) !== freedNameKey(user.name)) {
    const { provider, now } = provisioning;
    const externalId = await externalIdOf(unit, user, provider);
    const freed = await faultOfFreedName(unit, name, { userId: user.id, externalId, now });
    if (freed !== undefined) return freed;
    await keepFreedName(unit, user, externalId, now);
  }
  return renameUser(unit, user, name, key);
}

async function givePassword(
  unit: WriteUnit,
  user: User,
  {
    passwordHash,
    mustChangePassword = false,
  }: Pick<DesiredUser, 'mustChangePassword'> & { passwordHash: string },
  { passwordPages = {} }: ChangeRules,
): Promise<Change | Refusal<'password_elsewhere'>> {
  const set = await setPassword(unit, user, { passwordHash, mustChangePassword }, passwordPages);
  if (isRefusal(set) || !mustChangePassword || user.mustChangePassword) return set;
  return { events: [...set.events, { kind: 'new-password-required', user: user.name }] };
}

/** Unlike a user whom its provider disabled, one who is disabled here is not enabled by a sign-in there. */
async function setDisabledHere(unit: WriteUnit, user: User, disabled: boolean): Promise<Change> {
  const identity = user.provider === undefined ? undefined : await unit.externalIdentities.ofUser(user.id);
  if (identity?.disabledThere) await unit.externalIdentities.put({ ...identity, disabledThere: false });
  return setDisabled(unit, user, disabled);
}

/** Adds a user in a state: all of it, or nothing if a part is forbidden. */
export async function addUser(
  unit: WriteUnit,
  desired: UserToAdd,
  rules: ChangeRules = {},
): Promise<(Change & { readonly user: User }) | Refusal<'body_invalid' | 'name_taken' | 'password_needed'>> {
  const fault = (await faultOfNewUser(unit, desired, rules)) ?? faultOfCredential(desired);
  if (fault !== undefined) return fault;
  const add = () => addChecked(unit, desired, rules);
  return (await mayFailLate(unit, desired)) ? allOrNothing(unit, add) : add();
}

/** Whether something may be forbidden that is written after the user itself. A part of a unit costs as much as the user. */
async function mayFailLate({ groups }: WriteUnit, desired: UserToAdd): Promise<boolean> {
  if (typeof desired.externalId === 'string') return true;
  for (const { name } of desired.groups?.join ?? [])
    if ((await groups.findByKey(groupKey(name))) === undefined) return true;
  return false;
}

async function addChecked(
  unit: WriteUnit,
  desired: UserToAdd,
  rules: ChangeRules,
): Promise<(Change & { readonly user: User }) | Refusal<'body_invalid' | 'name_taken'>> {
  const { profile = {}, identity } = desired;
  const role = desired.role === 'none' ? undefined : desired.role;
  const user = await unit.users.add(newUserOf(desired));
  if (user === undefined) return taken(unit, desired);
  if (role !== undefined && role !== 'administrator') await unit.roles.give(user.id, role);
  const fields = withChanges({}, profile);
  if (Object.keys(fields).length > 0) await unit.profiles.put(user.id, fields);
  if (identity !== undefined) await unit.externalIdentities.put({ ...identity, userId: user.id });
  const placed = await inOrder(placingSteps(unit, user, desired, rules));
  if (isRefusal(placed)) return placed as Refusal<'body_invalid' | 'name_taken'>;
  const reason = [rules.reason, role].filter((part) => part !== undefined).join(', ') || undefined;
  return { user, events: [{ kind: 'user-added', user: user.name, reason }, ...placed.events] };
}

const providerOf = ({ identity, provider }: UserToAdd) => identity?.provider ?? provider;

function newUserOf(desired: UserToAdd): Omit<User, 'id'> {
  const { name, key, passwordHash, mustChangePassword = false, disabled = false, role } = desired;
  const provider = providerOf(desired);
  const state = { passwordHash, mustChangePassword, disabled, administrator: role === 'administrator' };
  const from = provider === undefined ? {} : { provider };
  return { ...newUser(name, { namesCaseSensitive: true, ...state, ...from }), key };
}

async function faultOfNewUser(
  unit: WriteUnit,
  { name, externalId, profile = {} }: UserToAdd,
  { provisioning }: ChangeRules,
): Promise<Refusal<'body_invalid' | 'name_taken'> | undefined> {
  if (provisioning !== undefined) {
    const { now } = provisioning;
    const freed = await faultOfFreedName(unit, name, { externalId: externalId ?? undefined, now });
    if (freed !== undefined) return freed;
  }
  const fault = (await faultOfNameOfUser(unit, name)) ?? faultOfProfile(profile);
  return fault === undefined ? undefined : refuse('body_invalid', { detail: fault });
}

function faultOfCredential(desired: UserToAdd): Refusal<'password_needed'> | undefined {
  const { passwordHash, role = 'none', mustChangePassword } = desired;
  if (role !== 'none' && isPasswordless({ passwordHash, provider: providerOf(desired) }))
    return refuse('password_needed', {
      detail: 'a user without a password has no role: give a password, or leave out the role',
    });
  return mustChangePassword && passwordHash === undefined
    ? refuse('password_needed', { detail: 'a user without a password has none to change: give a password' })
    : undefined;
}

async function taken(
  { users }: WriteUnit,
  { name, key }: Pick<User, 'name' | 'key'>,
): Promise<Refusal<'name_taken'>> {
  const other = (await users.findByKey(key))?.name;
  const differs = other === name.normalize('NFC') ? '' : ', and names that differ by case only are the same';
  return refuse('name_taken', {
    detail: `there is a user "${other}" already${differs}: choose another name, or change that user`,
  });
}
