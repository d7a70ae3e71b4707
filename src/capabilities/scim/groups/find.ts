import { type Group, groupKey } from '../../../core/domain/group.ts';
import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import { userKey } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { allGroups } from '../../people/rules/groups.ts';
import { mentions, type ScimFilter } from '../filter.ts';
import { matches } from '../matches.ts';
import { findUserById } from '../users/find.ts';
import { findGroup, isGroupId } from './group-id.ts';
import { type GroupRecord, groupRecords, groupResource } from './record.ts';

/** Groups that are read at a time. */
const AT_ONCE = 1_000;

/** The group with this display name, whose case does not count; undefined if there is none. */
export async function findByDisplayName(
  unit: Pick<ReadUnit, 'groups'>,
  displayName: string,
): Promise<Group | undefined | Refusal<'filter_too_wide'>> {
  const key = userKey(displayName);
  // In a write unit this read also locks the groups, so that no other one gets the name meanwhile.
  const named = await unit.groups.findByKey(groupKey(displayName));
  if (named !== undefined && userKey(named.displayName) === key) return named;
  const all = await allGroups(unit);
  if (isRefusal(all)) return all;
  return all.find((group) => userKey(group.displayName) === key);
}

/** The groups that have this member directly, a user or a group. */
async function groupsWith(unit: ReadUnit, memberId: string): Promise<readonly Group[]> {
  if (isGroupId(memberId)) {
    const inner = await findGroup(unit, memberId);
    return isRefusal(inner) ? [] : unit.groups.containing(inner.id);
  }
  const user = await findUserById(unit, memberId);
  return isRefusal(user) ? [] : (await unit.groups.ofUser(user.id)).filter(({ direct }) => direct);
}

/** The groups among whom are all that pass the filter, by an index; undefined if no index tells. */
async function candidatesFor(unit: ReadUnit, filter: ScimFilter): Promise<readonly Group[] | undefined> {
  if (filter.is === 'and') {
    for (const part of filter.parts) {
      const found = await candidatesFor(unit, part);
      if (found !== undefined) return found;
    }
  }
  if (filter.is === 'within' && filter.path[0]?.toLowerCase() === 'members')
    return filter.part.is === 'compared' && filter.part.operator === 'eq'
      ? groupsWith(unit, String(filter.part.value))
      : undefined;
  if (filter.is !== 'compared' || filter.operator !== 'eq') return undefined;
  const name = filter.path.join('.').toLowerCase();
  if (name === 'id') {
    const group = await findGroup(unit, String(filter.value));
    return isRefusal(group) ? [] : [group];
  }
  return name === 'members' || name === 'members.value' ? groupsWith(unit, String(filter.value)) : undefined;
}

/** The groups that pass the filter, sorted by key; all without one. */
export async function groupsPassing(
  unit: ReadUnit,
  filter: ScimFilter | undefined,
): Promise<readonly Group[] | Refusal<'filter_too_wide'>> {
  const found = (filter && (await candidatesFor(unit, filter))) ?? (await allGroups(unit));
  if (isRefusal(found) || filter === undefined) return found;
  const passing: Group[] = [];
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const part = found.slice(at, at + AT_ONCE);
    const records = await groupRecords(unit, part, mentions(filter, 'members'));
    passing.push(...records.filter((record) => passes(record, filter)).map(({ group }) => group));
  }
  return passing;
}

/** Filters know no address. */
const passes = (record: GroupRecord, filter: ScimFilter) => matches(filter, groupResource(record, ''));
