import type { ChangeEvent } from '../../../core/domain/event.ts';
import {
  faultOfNewGroupName,
  type Group,
  groupKey,
  shortNameOf,
  wireNameOf,
} from '../../../core/domain/group.ts';
import {
  type Forbidden,
  forbid,
  isForbidden,
  type Made,
  made,
  UNCHANGED,
} from '../../../core/domain/outcome.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { addGroup, changeGroup, joinGroup, leaveGroup, type Member } from '../../people/rules/groups.ts';
import { type Attributes, isAttributes, valueIn } from '../attributes.ts';
import type { ScimFilter } from '../filter.ts';
import { matches } from '../matches.ts';
import { isAbout, type PatchChange } from '../patch.ts';
import { isProvisioned, notProvisioned } from '../reach.ts';
import { findUserById } from '../users/find.ts';
import { findByDisplayName } from './find.ts';
import { findGroup, groupIdOf, isGroupId } from './group-id.ts';
import { groupRecords, groupResource, membersOf } from './record.ts';

type GroupForbidden = Forbidden<'invalid' | 'taken' | 'circle' | 'not-provisioned'>;
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

async function joinAll(
  unit: WriteUnit,
  group: Group,
  values: readonly unknown[],
  provider: string | undefined,
): Promise<GroupChangeOutcome> {
  const events: ChangeEvent[] = [];
  for (const value of values) {
    const member = await memberBy(unit, value);
    if (member === undefined)
      return forbid('invalid', 'members has a value that is the id of no user and no group here');
    if (!isOurs(member, provider)) return notProvisioned(member.user);
    const joined = await joinGroup(unit, group, member);
    if (isForbidden(joined)) return joined;
    events.push(...joined.events);
  }
  return { events };
}

async function leaveAll(unit: WriteUnit, group: Group, members: readonly Member[]): Promise<Made> {
  const events: ChangeEvent[] = [];
  for (const member of members) events.push(...(await leaveGroup(unit, group, member)).events);
  return { events };
}

/** Takes out the members that these values name. One that is gone already has left the group, too. */
async function leaveNamed(
  unit: WriteUnit,
  group: Group,
  values: readonly unknown[],
  provider: string | undefined,
): Promise<GroupChangeOutcome> {
  const members: Member[] = [];
  for (const value of values) {
    if (idIn(value) === undefined) return forbid('invalid', 'members has a value without the id of a member');
    const member = await memberBy(unit, value);
    if (member === undefined) continue;
    if (!isOurs(member, provider)) return notProvisioned(member.user);
    members.push(member);
  }
  return leaveAll(unit, group, members);
}

const idOf = (member: Member) => ('user' in member ? String(member.user.id) : groupIdOf(member.group));

/** The members that SCIM may take out. */
async function currentMembers(
  unit: WriteUnit,
  group: Group,
  provider: string | undefined,
): Promise<readonly Member[]> {
  const { users, groups } = await membersOf(unit, group);
  const all: readonly Member[] = [
    ...users.map((user) => ({ user })),
    ...groups.map((inner) => ({ group: inner })),
  ];
  return all.filter((member) => isOurs(member, provider));
}

/** Makes these the members of a group: others leave, and missing ones join. Users whom SCIM does not keep stay. */
export async function replaceMembers(
  unit: WriteUnit,
  group: Group,
  values: readonly unknown[],
  provider: string | undefined,
): Promise<GroupChangeOutcome> {
  const wanted = new Map(
    values.map((value) => [String(isAttributes(value) ? valueIn(value, 'value') : value), value]),
  );
  const current = await currentMembers(unit, group, provider);
  const left = await leaveAll(
    unit,
    group,
    current.filter((member) => !wanted.has(idOf(member))),
  );
  for (const member of current) wanted.delete(idOf(member));
  const joined = await joinAll(unit, group, [...wanted.values()], provider);
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

/** The values of the members of the group that pass a filter within `members[…]`. */
async function valuesPassing(unit: WriteUnit, group: Group, filter: ScimFilter): Promise<readonly unknown[]> {
  const named = namedBy(filter);
  if (named !== undefined) return named;
  const [record] = await groupRecords(unit, [group], true);
  const { members } = groupResource(record as NonNullable<typeof record>, '');
  return (members as readonly Attributes[]).filter((member) => matches(filter, member));
}

async function changeMembers(
  unit: WriteUnit,
  group: Group,
  { op, target, value }: PatchChange,
  provider: string | undefined,
): Promise<GroupChangeOutcome> {
  const { values } = target;
  if (values !== undefined)
    return op === 'remove'
      ? leaveNamed(unit, group, await valuesPassing(unit, group, values.filter), provider)
      : forbid('invalid', 'a member has no parts to change: add or remove it');
  if (op === 'add') return joinAll(unit, group, listOf(value), provider);
  if (op === 'replace') return replaceMembers(unit, group, listOf(value), provider);
  if (value === undefined) return leaveAll(unit, group, await currentMembers(unit, group, provider));
  // Entra names in `value` the members that it removes.
  return leaveNamed(unit, group, listOf(value), provider);
}

/** Makes one change of a PATCH. Attributes that a group does not have here are ignored. */
export async function patchGroup(
  unit: WriteUnit,
  group: Group,
  change: PatchChange,
  provider: string | undefined,
): Promise<GroupChangeOutcome> {
  const { op, value } = change;
  if (isAbout(change, 'members')) return changeMembers(unit, group, change, provider);
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
