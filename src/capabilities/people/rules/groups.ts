import type { ChangeEvent } from '../../../core/domain/event.ts';
import {
  ADMINISTRATORS,
  EVERYONE,
  faultOfNewGroupName,
  type Group,
  groupKey,
  newGroup,
  shortNameOf,
  wireNameOf,
} from '../../../core/domain/group.ts';
import { type Change, changeWith, UNCHANGED } from '../../../core/domain/outcome.ts';
import { faultOfProfileValue } from '../../../core/domain/profile.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { Role } from '../../../core/domain/role.ts';
import type { User } from '../../../core/domain/user.ts';
import type { GroupChange, Groups } from '../../../core/storage/people.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import { faultOfNameOfGroup } from './new-names.ts';

/** A member of a group. */
export type Member = { readonly user: User } | { readonly group: Group };

const COMPUTED = new Set([EVERYONE, ADMINISTRATORS].map(groupKey));

/** A group as a file or another server names it, with or without `GROUP_`. */
export interface NamedGroup {
  readonly name: string;
  readonly displayName?: string | undefined;
}

/** Whether a name is that of a group whose members are computed: nobody joins it. */
export function isComputed(name: string): boolean {
  return COMPUTED.has(groupKey(name));
}

/** The group of this name, with or without `GROUP_`, in any case. */
export async function findGroup(
  unit: Pick<ReadUnit, 'groups'>,
  name: string,
): Promise<Group | Refusal<'group_not_found'>> {
  if (isComputed(name))
    return refuse('group_not_found', {
      detail: `the members of "${shortNameOf(name)}" are computed from the users: name another group`,
    });
  const group = await unit.groups.findByKey(groupKey(name));
  return (
    group ??
    refuse('group_not_found', {
      detail: `there is no group "${shortNameOf(name)}": list the groups, or add it first`,
    })
  );
}

/** How many groups a list may look through. */
const MOST = 20_000;
/** Groups that are read at a time. */
const AT_ONCE = 1_000;

const TOO_MANY = refuse('filter_too_wide', {
  detail: `there are more than ${MOST} groups: ask for one by its id`,
});

/** All groups, sorted by key. */
export async function allGroups({
  groups,
}: Pick<ReadUnit, 'groups'>): Promise<readonly Group[] | Refusal<'filter_too_wide'>> {
  const all: Group[] = [];
  for (;;) {
    const page = await groups.page('', all.at(-1), AT_ONCE);
    all.push(...page);
    if (page.length < AT_ONCE) return all;
    if (all.length > MOST) return TOO_MANY;
  }
}

/** Adds a group. Names that differ by case only are the same. */
export async function addGroup(
  unit: WriteUnit,
  name: string,
  options: { readonly displayName?: string | undefined; readonly role?: Role | undefined } = {},
): Promise<(Change & { readonly group: Group }) | Refusal<'body_invalid' | 'name_taken'>> {
  const fault =
    faultOfNewGroupName(name) ??
    (await faultOfNameOfGroup(unit, name)) ??
    faultOfDisplayName(options.displayName);
  if (fault !== undefined) return refuse('body_invalid', { detail: fault });
  const target = newGroup(name, options);
  const group = await unit.groups.add(target);
  if (group !== undefined) {
    const role = group.role === undefined ? '' : `, role ${group.role}`;
    return { group, ...changeWith({ kind: 'group-added', reason: `${wireNameOf(group)}${role}` }) };
  }
  const taken = await unit.groups.findByKey(target.key);
  const differs = taken?.name === target.name ? '' : ', and case never counts in names of groups';
  return refuse('name_taken', {
    detail: `there is a group "${taken?.name}" already${differs}: choose another name, or change that group`,
  });
}

function faultOfDisplayName(displayName: string | undefined): string | undefined {
  if (displayName === undefined) return undefined;
  return displayName === ''
    ? 'displayName is empty: give a text'
    : faultOfProfileValue('displayName', displayName);
}

/** Changes the display name or the role of a group. An undefined `role` takes the role away, a missing one leaves it. */
export async function changeGroup(
  unit: WriteUnit,
  group: Group,
  change: GroupChange,
): Promise<Change | Refusal<'body_invalid'>> {
  const fault = faultOfDisplayName(change.displayName);
  if (fault !== undefined) return refuse('body_invalid', { detail: fault });
  const renamed = change.displayName !== undefined && change.displayName !== group.displayName;
  const ranked = 'role' in change && change.role !== group.role;
  if (!renamed && !ranked) return UNCHANGED;
  await unit.groups.change(group.id, change);
  const what = [renamed && 'displayName', ranked && `role ${change.role ?? 'none'}`].filter(
    (part) => part !== false,
  );
  return changeWith({ kind: 'group-changed', reason: `${wireNameOf(group)}: ${what.join(', ')}` });
}

/** Whether members of the group have a role by it, or by a group that contains it, however deep it nests. */
export async function givesRole({ groups }: Pick<ReadUnit, 'groups'>, group: Group): Promise<boolean> {
  const seen = new Set([group.id]);
  for (let level: readonly Group[] = [group]; level.length > 0; ) {
    if (level.some(({ role }) => role !== undefined)) return true;
    const above: Group[] = [];
    for (const { id } of level) above.push(...(await groups.containing(id)));
    level = above.filter(({ id }) => !seen.has(id));
    for (const { id } of level) seen.add(id);
  }
  return false;
}

/** Removes a group. Its members stay, and so do the groups that contain it. */
export async function removeGroup(unit: WriteUnit, group: Group): Promise<Change> {
  await unit.groups.remove(group.id);
  return changeWith({ kind: 'group-removed', reason: wireNameOf(group) });
}

/** Makes a user or a group a member of a group. A group that would contain itself is forbidden, with the circle. */
export function joinGroup(unit: WriteUnit, group: Group, member: { readonly user: User }): Promise<Change>;
export function joinGroup(
  unit: WriteUnit,
  group: Group,
  member: Member,
): Promise<Change | Refusal<'group_circle'>>;
export async function joinGroup(
  unit: WriteUnit,
  group: Group,
  member: Member,
): Promise<Change | Refusal<'group_circle'>> {
  if ('user' in member) {
    if (!(await unit.groups.addUser(group.id, member.user.id))) return UNCHANGED;
  } else {
    const path = await pathFrom(unit.groups, member.group, group);
    if (path !== undefined) {
      const circle = [group, ...path].map(({ name }) => name).join(' > ');
      return refuse('group_circle', {
        detail: `"${member.group.name}" cannot join "${group.name}", which would then contain itself: ${circle}. Take a group out of that circle first`,
      });
    }
    if (!(await unit.groups.addGroup(group.id, member.group.id))) return UNCHANGED;
  }
  return changeWith({ kind: 'group-joined', ...about(group, member) });
}

/** Takes a member out of a group. It stays in the groups that contain it by others. */
export async function leaveGroup(unit: WriteUnit, group: Group, member: Member): Promise<Change> {
  const left =
    'user' in member
      ? await unit.groups.removeUser(group.id, member.user.id)
      : await unit.groups.removeGroup(group.id, member.group.id);
  return left ? changeWith({ kind: 'group-left', ...about(group, member) }) : UNCHANGED;
}

/**
 * Makes a user or a group a member of these groups, and adds those that do not exist. Computed groups are left out. If one
 * is forbidden, what came before it stays: the caller undoes that.
 */
export function joinNamedGroups(
  unit: WriteUnit,
  member: { readonly user: User },
  named: readonly NamedGroup[],
): Promise<Change | Refusal<'body_invalid' | 'name_taken'>>;
export function joinNamedGroups(
  unit: WriteUnit,
  member: Member,
  named: readonly NamedGroup[],
): Promise<Change | Refusal<'body_invalid' | 'name_taken' | 'group_circle'>>;
export async function joinNamedGroups(
  unit: WriteUnit,
  member: Member,
  named: readonly NamedGroup[],
): Promise<Change | Refusal<'body_invalid' | 'name_taken' | 'group_circle'>> {
  const events: ChangeEvent[] = [];
  for (const { name, displayName } of named.filter((group) => !isComputed(group.name))) {
    const added = await groupNamed(unit, name, displayName);
    if (isRefusal(added)) return added;
    const joined = await joinGroup(unit, added.group, member);
    if (isRefusal(joined)) return joined;
    events.push(...added.events, ...joined.events);
  }
  return { events };
}

/** The groups to join, which are added if they are missing, and those to leave. The member stays in all others. */
export interface DesiredGroups {
  readonly join: readonly NamedGroup[];
  readonly leave?: readonly string[];
}

/** Takes a member out of groups, then makes it a member of others, as {@link joinNamedGroups} does. */
export async function regroup(
  unit: WriteUnit,
  member: Member,
  { leave = [], join }: DesiredGroups,
): Promise<Change | Refusal<'body_invalid' | 'name_taken' | 'group_circle'>> {
  const events: ChangeEvent[] = [];
  for (const name of leave) {
    const group = await unit.groups.findByKey(groupKey(name));
    if (group !== undefined) events.push(...(await leaveGroup(unit, group, member)).events);
  }
  const joined = await joinNamedGroups(unit, member, join);
  return isRefusal(joined) ? joined : { events: [...events, ...joined.events] };
}

async function groupNamed(
  unit: WriteUnit,
  name: string,
  displayName: string | undefined,
): Promise<(Change & { readonly group: Group }) | Refusal<'body_invalid' | 'name_taken'>> {
  const found = await unit.groups.findByKey(groupKey(name));
  if (found !== undefined) return { group: found, events: [] };
  const added = await addGroup(unit, name, { displayName });
  if (!isRefusal(added) || added.refused !== 'name_taken') return added;
  // Another instance added it in between.
  const theirs = await unit.groups.findByKey(groupKey(name));
  return theirs === undefined ? added : { group: theirs, events: [] };
}

function about(group: Group, member: Member) {
  return 'user' in member
    ? { user: member.user.name, reason: wireNameOf(group) }
    : { reason: `${wireNameOf(member.group)} in ${wireNameOf(group)}` };
}

/** The shortest way from `outer` down to `inner`, each group in the one before; undefined if `inner` is not in `outer`. */
async function pathFrom(groups: Groups, outer: Group, inner: Group): Promise<readonly Group[] | undefined> {
  const seen = new Set([inner.id]);
  let paths: (readonly [Group, ...Group[]])[] = [[inner]];
  // The first question also locks the nesting until the unit ends.
  while (paths.length > 0) {
    const found = paths.find(([first]) => first.id === outer.id);
    if (found !== undefined) return found;
    const longer: typeof paths = [];
    for (const path of paths) {
      for (const group of await groups.containing(path[0].id)) {
        if (!seen.has(group.id)) longer.push([group, ...path]);
        seen.add(group.id);
      }
    }
    paths = longer;
  }
  return undefined;
}
