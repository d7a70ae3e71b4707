import { Compile } from 'typebox/schema';
import type { ChangeEvent } from '../../../core/domain/event.ts';
import { faultOfNewGroupName, groupKey } from '../../../core/domain/group.ts';
import type { Change } from '../../../core/domain/outcome.ts';
import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import { isRole, ROLES, type Role } from '../../../core/domain/role.ts';
import { Type } from '../../../core/schema.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import { bringGroup } from '../../people/rules/bring-group.ts';
import { addGroup, type NamedGroup } from '../../people/rules/groups.ts';
import { faultOfGroups, GROUPS, namedGroups } from './user-line.ts';

const validator = Compile(
  Type.Object(
    {
      group: Type.String(),
      displayName: Type.Optional(Type.String()),
      externalId: Type.Optional(Type.String({ maxLength: 2_048 })),
      role: Type.Optional(Type.String()),
      groups: Type.Optional(GROUPS),
    },
    { additionalProperties: false },
  ),
);

/** The group that a line describes. */
export interface GroupInLine {
  readonly name: string;
  readonly displayName: string | undefined;
  /** The id that a provisioning system gave. Undefined if the line does not say. */
  readonly externalId: string | undefined;
  readonly role: Role | undefined;
  /** The groups that it is in. */
  readonly groups: readonly NamedGroup[];
}

/** Whether a line that was parsed is about a group: it has the member `group`. */
export function isOfGroup(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    'group' in value &&
    (value.group ?? undefined) !== undefined
  );
}

/** The group in a line, or what is wrong with the line. */
export function groupInLine(input: object): GroupInLine | string {
  const members = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const line: unknown = Object.fromEntries(
    members.map(([member, value]) => [member, member === 'groups' ? namedGroups(value) : value]),
  );
  if (!validator.Check(line))
    return 'is about a group, but not of its form: it has "group", and perhaps "displayName", "externalId", "role" and "groups"';
  const { group: name, displayName, role, groups = [] } = line;
  const externalId = line.externalId || undefined;
  const fault = faultOfNewGroupName(name);
  if (fault !== undefined) return `has a group that cannot be: ${fault}`;
  if (role !== undefined && !isRole(role)) return `"role" is not of the form: one of ${ROLES.join(', ')}`;
  return faultOfGroups([{ name, displayName }, ...groups]) ?? { name, displayName, externalId, role, groups };
}

/** Thrown to roll back the changes of a refused line. */
export class GroupRefused extends Error {}

export type GroupOutcome = 'added' | 'updated' | 'unchanged';

/** The outcome that a line would have. Throws {@link GroupRefused} if the stored group has another role. */
export async function groupOutcome(
  { groups }: Pick<ReadUnit, 'groups'>,
  { name, role }: GroupInLine,
  update: boolean,
): Promise<GroupOutcome> {
  const existing = await groups.findByKey(groupKey(name));
  if (existing === undefined) return 'added';
  if (!update) return 'unchanged';
  if (role !== undefined && role !== existing.role)
    throw new GroupRefused(
      "gives an existing group another role: leave the role out, or change it with 'tessera groups change'",
    );
  return 'updated';
}

/** Adds the group in a line, or changes it. Throws {@link GroupRefused} if a rule forbids it. */
export async function writeGroup(
  unit: WriteUnit,
  line: GroupInLine,
  update: boolean,
): Promise<{ readonly outcome: GroupOutcome; readonly events: readonly ChangeEvent[] }> {
  const allowed = <T extends Change>(outcome: T | Refusal): T => {
    if (isRefusal(outcome)) throw new GroupRefused(`cannot be: ${outcome.detail}`);
    return outcome;
  };
  const outcome = await groupOutcome(unit, line, update);
  if (outcome === 'unchanged') return { outcome, events: [] };
  const added = outcome === 'added' ? allowed(await addGroup(unit, line.name, line)) : undefined;
  const group = added?.group ?? (await unit.groups.findByKey(groupKey(line.name)));
  if (group === undefined) throw new GroupRefused('names a group that was removed meanwhile');
  const { displayName, externalId, groups } = line;
  const desired = { displayName, externalId, outer: { join: groups } };
  const placed = allowed(await bringGroup(unit, group, desired));
  const events = [...(added?.events ?? []), ...placed.events];
  return { outcome: events.length === 0 ? 'unchanged' : outcome, events };
}
