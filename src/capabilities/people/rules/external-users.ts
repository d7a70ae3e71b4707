import type { ChangeEvent } from '../../../core/domain/event.ts';
import type { ExternalPerson } from '../../../core/domain/external-identity.ts';
import { faultOfNewGroupName, groupKey, shortNameOf } from '../../../core/domain/group.ts';
import { type Change, UNCHANGED } from '../../../core/domain/outcome.ts';
import {
  faultOfProfileValue,
  PROFILE_FIELDS,
  type Profile,
  withChanges,
} from '../../../core/domain/profile.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import type { RequestOrigin } from '../../../core/domain/request-origin.ts';
import { faultOfName, faultOfNewName, lookalikeKey, type User, userKey } from '../../../core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import type { TakeOver } from '../../../core/storage/take-over.ts';
import { addUser, bringUser } from './bring-user.ts';
import { faultOfFreedName } from './freed-names.ts';
import { givesRole, isComputed } from './groups.ts';
import { faultOfNameOfGroup, faultOfNameOfUser } from './new-names.ts';

/** Which people of a directory or an identity provider may be users here. */
export interface ExternalUserRules {
  readonly namesCaseSensitive: boolean;
  /** Whether a person who is no user yet becomes one. */
  readonly addsUsers: boolean;
  /** Whether a person takes over the local user of its name, if that has no role. */
  readonly takesLocalNames: boolean;
  /** What capabilities remove of a local user who is taken over. */
  readonly takeOvers: readonly TakeOver[];
  /** The names of the groups whose members have a role here and that the provider may fill nevertheless: the settings name them. */
  readonly roleGroups: readonly string[];
}

/** When and from where a person came, for the events. `at` is in epoch milliseconds. */
export interface ChangeOrigin extends Partial<RequestOrigin> {
  readonly at: number;
}

const IMPOSSIBLE = 'a name that no user can have here';
const LOOKALIKE = 'the name of another user in other characters';

/** Why no user gets this name from now on, for the events. */
async function refusedName(unit: ReadUnit, name: string, own?: User): Promise<string | undefined> {
  if (faultOfNewName(name) !== undefined) return IMPOSSIBLE;
  return (await faultOfNameOfUser(unit, name, own)) === undefined ? undefined : LOOKALIKE;
}

/** The user that a person is; or the reason why it is none, for the events. */
export type ProvisionedUser = { readonly user: User } | { readonly refused: string };

/** The most groups of a person that count. Further ones are left out. */
const MOST_GROUPS = 1_000;

/** The user of the person, if everything is kept as the provider describes it: then there is nothing to write. */
export function unchangedExternalUser(
  unit: ReadUnit,
  person: ExternalPerson,
  rules: Pick<ExternalUserRules, 'roleGroups'>,
): Promise<User | undefined> {
  return unchangedUser(unit, withoutFaults(person), rules);
}

/**
 * Adds or updates the user of a person, so that name, profile and groups are as the provider describes them. Finds the user by
 * provider and subject, and never by the name: another person who gets the name later is another user. The user leaves groups that the provider gave before and has removed; other memberships stay. Missing
 * groups are added, without a role. The user does not join a group that gives a role, unless the rules name that group. A refused person changes nothing. The caller has to check whether the user may log in: it
 * may be disabled or locked here.
 */
export async function provisionExternalUserIn(
  unit: WriteUnit,
  external: ExternalPerson,
  rules: ExternalUserRules,
  changeOrigin: ChangeOrigin,
): Promise<ProvisionedUser> {
  const person = withoutFaults(external);
  if (faultOfName(person.name) !== undefined) return { refused: IMPOSSIBLE };
  if (userKey(person.name) === 'guest') return { refused: 'the name of the guest' };
  return provision(unit, person, rules, changeOrigin);
}

/** The person without values that cannot be kept here. */
function withoutFaults(person: ExternalPerson): ExternalPerson {
  const local = PROFILE_FIELDS.filter((field) => {
    const value = person.profile[field];
    return value !== undefined && faultOfProfileValue(field, value) === undefined;
  });
  const profile: Profile = Object.fromEntries(local.map((field) => [field, person.profile[field]]));
  const groups = person.groups && keptGroups(person.groups);
  return { ...person, name: person.name.normalize('NFC'), profile, groups };
}

/** The names of groups that can be joined here, each once, in an order that does not depend on the provider's. */
function keptGroups(names: readonly string[]): readonly string[] {
  const possible = names.filter((name) => faultOfNewGroupName(name) === undefined && !isComputed(name));
  const byKey = new Map(possible.map((name) => [groupKey(name), shortNameOf(name)]));
  return [...byKey.keys()]
    .sort()
    .slice(0, MOST_GROUPS)
    .map((key) => byKey.get(key) as string);
}

const keysOf = (groups: readonly string[]) => groups.map(groupKey).join('\n');

/**
 * The groups that the person joins or stays in. A group that gives a role here, by itself or by a group around it, is among them
 * only if the provider gave it before or the rules name it: a provider that names groups gives no role by that. A group that would be
 * new is left out if it may not have its name, for example because that looks like the name of another one.
 */
async function admittedGroups(
  unit: Pick<ReadUnit, 'groups'>,
  { groups }: ExternalPerson,
  before: readonly string[],
  { roleGroups }: Pick<ExternalUserRules, 'roleGroups'>,
): Promise<readonly string[] | undefined> {
  if (groups === undefined) return undefined;
  const [hadKeys, namedKeys] = [new Set(before.map(groupKey)), new Set(roleGroups.map(groupKey))];
  const newLooks = new Set<string>();
  const admits = async (name: string) => {
    const key = groupKey(name);
    if (hadKeys.has(key)) return true;
    const group = await unit.groups.findByKey(key);
    if (group !== undefined) return namedKeys.has(key) || !(await givesRole(unit, group));
    const look = groupKey(lookalikeKey(shortNameOf(name)));
    if (newLooks.has(look) || (await faultOfNameOfGroup(unit, name)) !== undefined) return false;
    newLooks.add(look);
    return true;
  };
  const admitted: string[] = [];
  for (const name of groups) if (await admits(name)) admitted.push(name);
  return admitted;
}

/** The event if the provider wants another password first, or wants none any more. */
function changeOfMustChange(
  { name, mustChangePassword }: User,
  person: ExternalPerson,
): readonly ChangeEvent[] {
  const required = person.mustChangePassword ?? mustChangePassword;
  if (required === mustChangePassword) return [];
  return [{ kind: required ? 'new-password-required' : 'new-password-waived', user: name }];
}

async function unchangedUser(
  unit: ReadUnit,
  person: ExternalPerson,
  rules: Pick<ExternalUserRules, 'roleGroups'>,
): Promise<User | undefined> {
  const identity = await unit.externalIdentities.find(person.provider, person.subject);
  const user = identity && (await unit.users.find(identity.userId));
  if (user === undefined || identity?.disabledThere !== false || user.name !== person.name) return undefined;
  if (changeOfMustChange(user, person).length > 0) return undefined;
  const groups = await admittedGroups(unit, person, identity.groups, rules);
  if (groups !== undefined && keysOf(groups) !== keysOf(identity.groups)) return undefined;
  const before = await unit.profiles.find(user.id);
  const after = withChanges(before, person.profile);
  return PROFILE_FIELDS.every((field) => before[field] === after[field]) ? user : undefined;
}

async function provision(
  unit: WriteUnit,
  person: ExternalPerson,
  rules: ExternalUserRules,
  changeOrigin: ChangeOrigin,
): Promise<ProvisionedUser> {
  const identity = await unit.externalIdentities.find(person.provider, person.subject);
  const stored = identity && (await unit.users.find(identity.userId));
  const named = await (stored === undefined
    ? nameNew(unit, person, rules, changeOrigin.at)
    : nameKnown(unit, stored, person, rules, changeOrigin.at));
  if ('refused' in named) return named;
  const { user, rename } = named;
  const before = identity?.groups ?? [];
  const groups = await admittedGroups(unit, person, before, rules);
  const desired = {
    rename,
    profile: person.profile,
    disabled: identity?.disabledThere ? false : undefined,
    groups: groupChanges(before, groups),
  };
  // What the provider says holds, even if no administrator is left: a role that it took away must not stay.
  const outcome = await bringUser(unit, user, desired, { unguarded: true });
  if (isRefusal(outcome)) throw new Error(`a checked change is forbidden: ${outcome.detail}`);
  const events = [...named.events, ...outcome.events.map((event) => atProvider(event, user, person))];
  const required = changeOfMustChange(user, person);
  if (required.length > 0) await unit.users.change(user.id, { mustChangePassword: !user.mustChangePassword });
  events.push(...required.map((event) => ({ ...event, user: person.name })));
  await unit.externalIdentities.put({
    userId: user.id,
    provider: person.provider,
    subject: person.subject,
    groups: groups ?? before,
    checkedAt: changeOrigin.at,
    disabledThere: false,
  });
  for (const event of events) await unit.events.append({ ...changeOrigin, ...event });
  return { user: (await unit.users.find(user.id)) ?? user };
}

type Named =
  | ({ readonly user: User; readonly rename?: Pick<User, 'name' | 'key'> } & Change)
  | { readonly refused: string };

const atProvider = (event: ChangeEvent, { name }: User, { provider }: ExternalPerson): ChangeEvent =>
  event.kind === 'user-renamed' ? { ...event, reason: `was ${name} at ${provider} before` } : event;

/** The known user, and its new name if the person has another one. */
async function nameKnown(
  unit: WriteUnit,
  user: User,
  { name, provider, subject: externalId }: ExternalPerson,
  { namesCaseSensitive }: ExternalUserRules,
  now: number,
): Promise<Named> {
  const { users } = unit;
  if (user.name === name) return { user, ...UNCHANGED };
  const refused = await refusedName(unit, name, user);
  if (refused !== undefined) return { refused };
  const key = userKey(name, namesCaseSensitive);
  // A new user of this name would be refused, too: other services may know the name as that of the person who left.
  if (key !== user.key && (await users.wasRemoved(key)))
    return { refused: `renamed at ${provider} to a name that was removed here` };
  if ((await faultOfFreedName(unit, name, { userId: user.id, externalId, now })) !== undefined)
    return { refused: `renamed at ${provider} to a name that another person had lately` };
  const other = await users.findByKey(key);
  if (other !== undefined && other.id !== user.id)
    return { refused: `renamed at ${provider} to the name of another user here` };
  return { user, rename: { name, key }, ...UNCHANGED };
}

/** A new user of this person; or the local user of its name, which the person takes over. */
async function nameNew(
  unit: WriteUnit,
  person: ExternalPerson,
  rules: ExternalUserRules,
  now: number,
): Promise<Named> {
  const { users } = unit;
  const { name, provider } = person;
  const key = userKey(name, rules.namesCaseSensitive);
  // This read also locks the set of users until the unit ends.
  const wasRemoved = await users.wasRemoved(key);
  const other = await users.findByKey(key);
  if (other !== undefined) return takeOver(unit, other, person, rules);
  if (wasRemoved) return { refused: 'removed here' };
  if ((await faultOfFreedName(unit, name, { externalId: person.subject, now })) !== undefined)
    return { refused: 'a name that another person had lately' };
  if (!rules.addsUsers) return { refused: 'no user here' };
  const refused = await refusedName(unit, name);
  if (refused !== undefined) return { refused };
  const added = await addUser(unit, { name, key, provider }, { reason: `first login by ${provider}` });
  if (isRefusal(added)) throw new Error('a user was added although the set of users is locked');
  return added;
}

async function takeOver(
  unit: WriteUnit,
  other: User,
  { provider, name }: ExternalPerson,
  { takesLocalNames, takeOvers }: ExternalUserRules,
): Promise<Named> {
  const { users, roles } = unit;
  if (other.provider === provider) return { refused: `the name of another person of ${provider} here` };
  if (other.provider !== undefined) return { refused: 'the name of a user of another provider' };
  if (!takesLocalNames) return { refused: 'the name of a local user' };
  const role = (await roles.ownOf(other.id)) ?? (await roles.of(other.id));
  if (role !== undefined) return { refused: 'the name of a local user with a role' };
  // Tickets and other credentials belong to the person who had the password here.
  const events: ChangeEvent[] = [{ kind: 'user-taken-over', user: name, reason: `by ${provider}` }];
  for (const remove of takeOvers) events.push(...(await remove(unit, other)).events);
  const generation = other.generation + 1;
  await users.change(other.id, { provider, passwordHash: undefined, mustChangePassword: false, generation });
  const user = { ...other, provider, passwordHash: undefined, mustChangePassword: false, generation };
  return { user, events };
}

/** The groups that the user joins and leaves, because the provider gives others than at the last sign-in. */
function groupChanges(before: readonly string[], now: readonly string[] | undefined) {
  if (now === undefined || keysOf(now) === keysOf(before)) return undefined;
  const [hadKeys, hasKeys] = [new Set(before.map(groupKey)), new Set(now.map(groupKey))];
  return {
    leave: before.filter((had) => !hasKeys.has(groupKey(had))),
    join: now.filter((has) => !hadKeys.has(groupKey(has))).map((name) => ({ name })),
  };
}

/**
 * Disables a user whom its provider disabled or removed, with this reason in the events. Its tickets end for good.
 * A later {@link provisionExternalUserIn} enables it again. One that an administrator disabled here stays as it is.
 */
export async function disableExternalUser(unit: WriteUnit, userId: number, why: string): Promise<Change> {
  const user = await unit.users.find(userId);
  const identity = await unit.externalIdentities.ofUser(userId);
  if (user === undefined || identity === undefined || user.disabled) return UNCHANGED;
  const outcome = await bringUser(unit, user, { disabled: true }, { reason: why, unguarded: true });
  if (isRefusal(outcome)) throw new Error(`a disabling is forbidden: ${outcome.detail}`);
  await unit.externalIdentities.put({ ...identity, disabledThere: true });
  return outcome;
}
