import type { ChangeEvent } from '../../domain/event.ts';
import { faultOfNewGroupName, type Group, groupKey, shortNameOf, wireNameOf } from '../../domain/group.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { addGroup, changeGroup, joinGroup, leaveGroup, type Member } from '../../people/groups.ts';
import { type Forbidden, forbid, isForbidden, type Made, made, UNCHANGED } from '../../people/outcome.ts';
import type { WriteUnit } from '../../storage/store.ts';
import { type Attributes, isAttributes, valueIn } from '../attributes.ts';
import type { ScimFilter } from '../filter.ts';
import { matches } from '../matches.ts';
import { isAbout, type PatchChange } from '../patch.ts';
import { findUserById } from '../users/find.ts';
import { findByDisplayName } from './find.ts';
import { findGroup, groupIdOf, isGroupId } from './group-id.ts';
import { groupRecords, groupResource, membersOf } from './record.ts';

type GroupForbidden = Forbidden<'invalid' | 'taken' | 'circle' | 'has-role'>;
type GroupChangeOutcome = Made | GroupForbidden;

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
): Promise<GroupForbidden | undefined> {
  if (displayName === '') return forbid('invalid', 'displayName is empty: give a text');
  const other = await findByDisplayName(unit, displayName);
  if (isRefusal(other)) return forbid('invalid', 'there are too many groups to look through');
  if (other === undefined || other.id === group?.id) return undefined;
  return forbid('taken', `there is a group "${displayName}" already: choose another name`);
}

/** Adds a group with this display name. Its own name is made from that, and never changes. */
export async function addGroupNamed(
  unit: WriteUnit,
  displayName: string,
): Promise<(Made & { readonly group: Group }) | GroupForbidden> {
  const taken = await faultOfDisplayName(unit, displayName);
  if (taken !== undefined) return taken;
  const name = await freeName(unit, displayName);
  const fault = faultOfNewGroupName(name);
  return fault === undefined ? addGroup(unit, name, { displayName }) : forbid('invalid', fault);
}

/** Gives a group another display name. */
export async function renameGroup(
  unit: WriteUnit,
  group: Group,
  displayName: string,
): Promise<GroupChangeOutcome> {
  if (displayName === group.displayName) return UNCHANGED;
  return (await faultOfDisplayName(unit, displayName, group)) ?? changeGroup(unit, group, { displayName });
}

/** The longest `externalId`, in UTF-16 units. */
const LONGEST = 1_024;

/** Gives a group this `externalId`, or takes it away. No other group may have it. */
export async function setGroupExternalId(
  { externalIds }: WriteUnit,
  group: Group,
  externalId: string | undefined,
): Promise<GroupChangeOutcome> {
  if (externalId !== undefined && (externalId === '' || externalId.length > LONGEST))
    return forbid('invalid', `externalId has 1 to ${LONGEST} characters`);
  const owners = externalId === undefined ? [] : await externalIds.find('group', externalId);
  if (owners.some((id) => id !== group.id))
    return forbid('taken', 'another group has this externalId already');
  if ((await externalIds.of('group', [group.id])).get(group.id) === externalId) return UNCHANGED;
  await externalIds.put('group', group.id, externalId);
  return made({ kind: 'group-changed', reason: `${wireNameOf(group)}: externalId` });
}

/** Whether members of the group have a role by it, or by a group that contains it. */
async function givesRole({ groups }: WriteUnit, group: Group): Promise<boolean> {
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

/** The member that a value names: an object with `value`, or the `id` alone. */
async function memberBy(unit: WriteUnit, value: unknown): Promise<Member | undefined> {
  const id = isAttributes(value) ? valueIn(value, 'value') : value;
  const text = typeof id === 'number' ? String(id) : id;
  if (typeof text !== 'string') return undefined;
  if (isGroupId(text)) {
    const group = await findGroup(unit, text);
    return isRefusal(group) ? undefined : { group };
  }
  const user = await findUserById(unit, text);
  return isRefusal(user) ? undefined : { user };
}

const listOf = (value: unknown): readonly unknown[] => [value ?? []].flat();

async function joinAll(
  unit: WriteUnit,
  group: Group,
  values: readonly unknown[],
): Promise<GroupChangeOutcome> {
  const events: ChangeEvent[] = [];
  if (values.length > 0 && (await givesRole(unit, group)))
    return forbid('has-role', 'have an administrator add the members here, or take a group without a role');
  for (const value of values) {
    const member = await memberBy(unit, value);
    if (member === undefined)
      return forbid('invalid', 'members has a value that is the id of no user and no group here');
    const joined = await joinGroup(unit, group, member);
    if (isForbidden(joined)) return joined;
    events.push(...joined.events);
  }
  return { events };
}

async function leaveAll(
  unit: WriteUnit,
  group: Group,
  members: readonly (Member | undefined)[],
): Promise<Made> {
  const events: ChangeEvent[] = [];
  // A member that is gone already has left the group, too.
  for (const member of members) if (member) events.push(...(await leaveGroup(unit, group, member)).events);
  return { events };
}

const idOf = (member: Member) => ('user' in member ? String(member.user.id) : groupIdOf(member.group));

async function currentMembers(unit: WriteUnit, group: Group): Promise<readonly Member[]> {
  const { users, groups } = await membersOf(unit, group);
  return [...users.map((user) => ({ user })), ...groups.map((inner) => ({ group: inner }))];
}

/** Makes these the members of a group: others leave, and missing ones join. */
export async function replaceMembers(
  unit: WriteUnit,
  group: Group,
  values: readonly unknown[],
): Promise<GroupChangeOutcome> {
  const wanted = new Map(
    values.map((value) => [String(isAttributes(value) ? valueIn(value, 'value') : value), value]),
  );
  const current = await currentMembers(unit, group);
  const left = await leaveAll(
    unit,
    group,
    current.filter((member) => !wanted.has(idOf(member))),
  );
  for (const member of current) wanted.delete(idOf(member));
  const joined = await joinAll(unit, group, [...wanted.values()]);
  return isForbidden(joined) ? joined : { events: [...left.events, ...joined.events] };
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

/** The members of the group that a filter within `members[…]` names. */
async function membersPassing(unit: WriteUnit, group: Group, filter: ScimFilter) {
  const named = namedBy(filter);
  if (named !== undefined) return Promise.all(named.map((id) => memberBy(unit, id)));
  const [record] = await groupRecords(unit, [group], true);
  const { members } = groupResource(record as NonNullable<typeof record>, '');
  const passing = (members as readonly Attributes[]).filter((member) => matches(filter, member));
  return Promise.all(passing.map((member) => memberBy(unit, member)));
}

async function changeMembers(
  unit: WriteUnit,
  group: Group,
  { op, target, value }: PatchChange,
): Promise<GroupChangeOutcome> {
  const { values } = target;
  if (values !== undefined)
    return op === 'remove'
      ? leaveAll(unit, group, await membersPassing(unit, group, values.filter))
      : forbid('invalid', 'a member has no parts to change: add or remove it');
  if (op === 'add') return joinAll(unit, group, listOf(value));
  if (op === 'replace') return replaceMembers(unit, group, listOf(value));
  if (value === undefined) return leaveAll(unit, group, await currentMembers(unit, group));
  // Entra names in `value` the members that it removes.
  return leaveAll(unit, group, await Promise.all(listOf(value).map((each) => memberBy(unit, each))));
}

/** Makes one change of a PATCH. Attributes that a group does not have here are ignored. */
export async function patchGroup(
  unit: WriteUnit,
  group: Group,
  change: PatchChange,
): Promise<GroupChangeOutcome> {
  const { op, value } = change;
  if (isAbout(change, 'members')) return changeMembers(unit, group, change);
  if (isAbout(change, 'displayName'))
    return typeof value === 'string' && op !== 'remove'
      ? renameGroup(unit, group, value)
      : forbid('invalid', 'displayName is no text');
  if (!isAbout(change, 'externalId')) return UNCHANGED;
  if (op === 'remove' || value === undefined) return setGroupExternalId(unit, group, undefined);
  return typeof value === 'string'
    ? setGroupExternalId(unit, group, value)
    : forbid('invalid', 'externalId is no text');
}
