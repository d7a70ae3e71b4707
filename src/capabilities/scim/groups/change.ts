import { faultOfNewGroupName, type Group, groupKey, shortNameOf } from '../../../core/domain/group.ts';
import type { Change } from '../../../core/domain/outcome.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import type { DesiredGroup } from '../../people/rules/bring-group.ts';
import { addGroup, type Member } from '../../people/rules/groups.ts';
import { type Attributes, isAttributes, valueIn } from '../attributes.ts';
import type { ScimFilter } from '../filter.ts';
import { matches } from '../matches.ts';
import { isAbout, type PatchChange } from '../patch.ts';
import { isProvisioned, notProvisioned } from '../reach.ts';
import { findUserById } from '../users/find.ts';
import { findByDisplayName } from './find.ts';
import { findGroup, groupIdOf, isGroupId } from './group-id.ts';
import { groupRecords, groupResource, membersOf } from './record.ts';
import type { GroupWanted } from './wanted.ts';

type GroupRefusal = Refusal<'body_invalid' | 'name_taken' | 'user_not_provisioned'>;

/** Names that are tried for a new group before it is refused. */
const MOST_NAMES = 20;

/** The name of a new group: its display name without the characters that no name has. */
function nameFor(displayName: string): string {
  return shortNameOf(displayName.normalize('NFC'))
    .replaceAll(/[/\\,:;"*<>?|]/g, '-')
    .trim();
}

/** A free name for a group. The groups that were renamed keep their names, so one may be taken. */
async function freeName(unit: WriteUnit, displayName: string): Promise<string> {
  const name = nameFor(displayName);
  for (let n = 2; n <= MOST_NAMES; n += 1) {
    const candidate = n === 2 ? name : `${name}-${n - 1}`;
    if ((await unit.groups.findByKey(groupKey(candidate))) === undefined) return candidate;
  }
  return name;
}

/** Why a display name cannot be given to a group; undefined if it can. */
async function faultOfDisplayName(
  unit: WriteUnit,
  displayName: string,
  group?: Group,
): Promise<GroupRefusal | undefined> {
  if (displayName === '') return refuse('body_invalid', { detail: 'displayName is empty: give a text' });
  const other = await findByDisplayName(unit, displayName);
  if (isRefusal(other))
    return refuse('body_invalid', { detail: 'there are too many groups to look through' });
  if (other === undefined || other.id === group?.id) return undefined;
  return refuse('name_taken', { detail: `there is a group "${displayName}" already: choose another name` });
}

/** Adds a group with this display name. Its own name is made from that, and never changes. */
export async function addGroupNamed(
  unit: WriteUnit,
  displayName: string,
): Promise<(Change & { readonly group: Group }) | GroupRefusal> {
  const taken = await faultOfDisplayName(unit, displayName);
  if (taken !== undefined) return taken;
  const name = await freeName(unit, displayName);
  const fault = faultOfNewGroupName(name);
  return fault === undefined
    ? addGroup(unit, name, { displayName })
    : refuse('body_invalid', { detail: fault });
}

/** What gives a group another display name. */
async function renaming(
  unit: WriteUnit,
  group: Group,
  displayName: string,
): Promise<DesiredGroup | GroupRefusal> {
  if (displayName === group.displayName) return {};
  return (await faultOfDisplayName(unit, displayName, group)) ?? { displayName };
}

/** The `id` in a value of `members`: an object with `value`, or the `id` alone; undefined if there is none. */
function idIn(value: unknown): string | undefined {
  const id = isAttributes(value) ? valueIn(value, 'value') : value;
  return typeof id === 'string' ? id : undefined;
}

/** The member that a value names: an object with `value`, or the `id` alone. */
async function memberBy(unit: WriteUnit, value: unknown): Promise<Member | undefined> {
  const text = idIn(value);
  if (text === undefined) return undefined;
  if (isGroupId(text)) {
    const group = await findGroup(unit, text);
    return isRefusal(group) ? undefined : { group };
  }
  const user = await findUserById(unit, text);
  return isRefusal(user) ? undefined : { user };
}

/** Whether SCIM may make it join and leave: a group, or a user whom SCIM keeps. */
const isOurs = (member: Member, provider: string | undefined): member is Extract<Member, { group: Group }> =>
  'group' in member || isProvisioned(member.user, provider);

const listOf = (value: unknown): readonly unknown[] => [value ?? []].flat();

/** The members that these values name, which SCIM may put into a group. */
async function membersToJoin(
  unit: WriteUnit,
  values: readonly unknown[],
  provider: string | undefined,
): Promise<readonly Member[] | GroupRefusal> {
  const members: Member[] = [];
  for (const value of values) {
    const member = await memberBy(unit, value);
    if (member === undefined)
      return refuse('body_invalid', {
        detail: 'members has a value that is the id of no user and no group here',
      });
    if (!isOurs(member, provider)) return notProvisioned(member.user);
    members.push(member);
  }
  return members;
}

/** The members that these values name, which SCIM may take out. One that is gone already has left the group, too. */
async function membersToLeave(
  unit: WriteUnit,
  values: readonly unknown[],
  provider: string | undefined,
): Promise<readonly Member[] | GroupRefusal> {
  const members: Member[] = [];
  for (const value of values) {
    if (idIn(value) === undefined)
      return refuse('body_invalid', { detail: 'members has a value without the id of a member' });
    const member = await memberBy(unit, value);
    if (member === undefined) continue;
    if (!isOurs(member, provider)) return notProvisioned(member.user);
    members.push(member);
  }
  return members;
}

const idOf = (member: Member) => ('user' in member ? String(member.user.id) : groupIdOf(member.group));

/** The members that SCIM may take out. */
async function currentMembers(
  unit: WriteUnit,
  group: Group,
  provider: string | undefined,
): Promise<readonly Member[]> {
  const { users, groups } = await membersOf(unit, group, (user) => user);
  const all: readonly Member[] = [
    ...users.map((user) => ({ user })),
    ...groups.map((inner) => ({ group: inner })),
  ];
  return all.filter((member) => isOurs(member, provider));
}

/** What makes these the members of a group: others leave, and missing ones join. Users whom SCIM does not keep stay. */
async function replacing(
  unit: WriteUnit,
  group: Group | undefined,
  values: readonly unknown[],
  provider: string | undefined,
): Promise<DesiredGroup | GroupRefusal> {
  const target = new Map(
    values.map((value) => [String(isAttributes(value) ? valueIn(value, 'value') : value), value]),
  );
  const current = group === undefined ? [] : await currentMembers(unit, group, provider);
  const leave = current.filter((member) => !target.has(idOf(member)));
  for (const member of current) target.delete(idOf(member));
  const join = await membersToJoin(unit, [...target.values()], provider);
  return isRefusal(join) ? join : { leave, join };
}

/** What makes a group as it is wanted, or a new one. What is not named stays as it is, as RFC 7644 section 3.5.1 allows. */
export async function desiredGroup(
  unit: WriteUnit,
  group: Group | undefined,
  { displayName, externalId, members }: GroupWanted,
  provider: string | undefined,
): Promise<DesiredGroup | GroupRefusal> {
  const renamed = group && displayName !== undefined ? await renaming(unit, group, displayName) : {};
  if (isRefusal(renamed)) return renamed;
  const regrouped = members === undefined ? {} : await replacing(unit, group, members, provider);
  return isRefusal(regrouped) ? regrouped : { ...renamed, externalId, ...regrouped };
}

/** The values that `value eq "…"` names, alone or with `or` between; undefined for any other filter. */
function namedBy(filter: ScimFilter): readonly string[] | undefined {
  if (filter.is === 'or') {
    const each = filter.parts.map(namedBy);
    return each.every((named) => named !== undefined) ? each.flat() : undefined;
  }
  const isNamed =
    filter.is === 'compared' && filter.operator === 'eq' && filter.path.join('.').toLowerCase() === 'value';
  return isNamed ? [String(filter.value)] : undefined;
}

/** The values of the members of the group that pass a filter within `members[…]`. */
async function valuesPassing(unit: WriteUnit, group: Group, filter: ScimFilter): Promise<readonly unknown[]> {
  const named = namedBy(filter);
  if (named !== undefined) return named;
  const [record] = await groupRecords(unit, [group], true);
  const { members } = groupResource(record as NonNullable<typeof record>, '');
  return (members as readonly Attributes[]).filter((member) => matches(filter, member));
}

async function changingMembers(
  unit: WriteUnit,
  group: Group,
  { op, target, value }: PatchChange,
  provider: string | undefined,
): Promise<DesiredGroup | GroupRefusal> {
  const { values } = target;
  if (values !== undefined && op !== 'remove')
    return refuse('body_invalid', { detail: 'a member has no parts to change: add or remove it' });
  if (op === 'replace') return replacing(unit, group, listOf(value), provider);
  if (op === 'add') {
    const join = await membersToJoin(unit, listOf(value), provider);
    return isRefusal(join) ? join : { join };
  }
  if (values === undefined && value === undefined)
    return { leave: await currentMembers(unit, group, provider) };
  // Entra names in `value` the members that it removes.
  const named = values === undefined ? listOf(value) : await valuesPassing(unit, group, values.filter);
  const leave = await membersToLeave(unit, named, provider);
  return isRefusal(leave) ? leave : { leave };
}

/** What one change of a PATCH asks for. Attributes that a group does not have here are ignored. */
export async function desiredByPatch(
  unit: WriteUnit,
  group: Group,
  change: PatchChange,
  provider: string | undefined,
): Promise<DesiredGroup | GroupRefusal> {
  const { op, value } = change;
  if (isAbout(change, 'members')) return changingMembers(unit, group, change, provider);
  if (isAbout(change, 'displayName'))
    return typeof value === 'string' && op !== 'remove'
      ? renaming(unit, group, value)
      : refuse('body_invalid', { detail: 'displayName is no text' });
  if (!isAbout(change, 'externalId')) return {};
  if (op === 'remove' || value === undefined) return { externalId: null };
  return typeof value === 'string'
    ? { externalId: value }
    : refuse('body_invalid', { detail: 'externalId is no text' });
}
