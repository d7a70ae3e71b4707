import { bringGroup, type DesiredGroup } from '../../capabilities/people/rules/bring-group.ts';
import {
  addGroup,
  type DesiredGroups,
  findGroup,
  type NamedGroup,
} from '../../capabilities/people/rules/groups.ts';
import { type Group, groupKey } from '../../core/domain/group.ts';
import { UNCHANGED } from '../../core/domain/outcome.ts';
import { isRefusal } from '../../core/domain/refusal.ts';
import type { Role } from '../../core/domain/role.ts';
import type { PlanStep, ShownValue, StateChange, Unnamed } from './plan.ts';
import { type PeopleReads, provisionedAmong, readAll } from './stored-people.ts';
import type { WantedGroup, WantedState } from './wanted.ts';

/** The steps for groups, in the order in which they have to run. */
export interface GroupSteps {
  /** Adds and changes groups themselves. */
  readonly themselves: readonly PlanStep[];
  /** Takes groups out of groups: before others join, so that no circle is seen that the document does not have. */
  readonly leaves: readonly PlanStep[];
  readonly joins: readonly PlanStep[];
}

const PAGE = 1_000;

/** All stored groups, sorted by key. */
export async function allGroups({ groups }: Pick<PeopleReads, 'groups'>): Promise<Group[]> {
  const all: Group[] = [];
  for (let page: Group[] | undefined; page === undefined || page.length === PAGE; all.push(...page))
    page = await groups.page('', all.at(-1), PAGE);
  return all;
}

/** The names in `names` whose keys are not among `others`. */
export function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const keys = new Set(others.map(groupKey));
  return names.filter((name) => !keys.has(groupKey(name)));
}

/** Groups as the rules of `people/` take them. */
export const namedGroups = (names: readonly string[]): readonly NamedGroup[] =>
  names.map((name) => ({ name }));

const saysNothing = (value: ShownValue) =>
  value === undefined || value === 'none' || (Array.isArray(value) && value.length === 0);

/** The members of an added entry that are shown. */
export const membersShown = (members: Readonly<Record<string, ShownValue>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !saysNothing(value)));

const roleOf = (role: WantedGroup['role']): Role | undefined => (role === 'none' ? undefined : role);

function addStep({ pointer, name, displayName, role, groups }: WantedGroup): PlanStep {
  const members = membersShown({ displayName, role, groups });
  return {
    changes: [{ change: 'add', kind: 'group', name, members }],
    pointer,
    perform: (unit) => addGroup(unit, name, { displayName, role: roleOf(role) }),
  };
}

/** Brings the group of this name into a state, unless another instance has removed it. */
const brings =
  (name: string, desired: DesiredGroup): PlanStep['perform'] =>
  async (unit) => {
    const group = await findGroup(unit, name);
    return isRefusal(group) ? group : bringGroup(unit, group, desired, { unguarded: true });
  };

function changeStep(target: WantedGroup, { name, ...stored }: Group): PlanStep | undefined {
  const { pointer, displayName, role } = target;
  const about = { change: 'change', kind: 'group', name } as const;
  const changes: StateChange[] = [];
  if (displayName !== undefined && displayName !== stored.displayName)
    changes.push({ ...about, field: 'displayName', from: stored.displayName, to: displayName });
  if (role !== undefined && roleOf(role) !== stored.role)
    changes.push({ ...about, field: 'role', from: stored.role, to: roleOf(role) });
  if (changes.length === 0) return undefined;
  return { changes, pointer, perform: brings(name, { displayName, role }) };
}

/** The steps that bring the groups of the document into its state. */
export async function groupSteps(unit: PeopleReads, targets: readonly WantedGroup[]): Promise<GroupSteps> {
  const stored = await readAll(targets, async ({ key }) => {
    const group = await unit.groups.findByKey(key);
    return group && { group, outer: (await unit.groups.containing(group.id)).map(({ name }) => name) };
  });
  const steps = { themselves: [] as PlanStep[], leaves: [] as PlanStep[], joins: [] as PlanStep[] };
  for (const [index, each] of targets.entries()) {
    const found = stored[index];
    const itself = found === undefined ? addStep(each) : changeStep(each, found.group);
    if (itself !== undefined) steps.themselves.push(itself);
    const { pointer, name, groups: outer } = each;
    if (outer === undefined) continue;
    const before = found?.outer ?? [];
    const [left, joined] = [without(before, outer), without(outer, before)];
    const change: StateChange = {
      change: 'change',
      kind: 'group',
      name,
      field: 'groups',
      from: before,
      to: outer,
    };
    const changes = found === undefined ? [] : [change];
    const step = (how: 'join' | 'leave', moves: DesiredGroups): PlanStep => ({
      changes: how === 'join' || joined.length === 0 ? changes : [],
      pointer,
      perform: brings(name, { outer: moves }),
    });
    if (left.length > 0) steps.leaves.push(step('leave', { leave: left, join: [] }));
    if (joined.length > 0) steps.joins.push(step('join', { join: namedGroups(joined) }));
  }
  return steps;
}

/**
 * The stored groups that the document does not name, without groups that a provider gives to users or that a provisioning
 * system keeps.
 */
export async function unnamedGroups(
  unit: PeopleReads,
  targets: readonly WantedGroup[],
  stored: readonly Group[],
): Promise<Unnamed[]> {
  const keys = new Set(targets.map(({ key }) => key));
  const external = (await unit.users.list()).filter(({ provider }) => provider !== undefined);
  const identities = await readAll(external, ({ id }) => unit.externalIdentities.ofUser(id));
  for (const identity of identities) for (const name of identity?.groups ?? []) keys.add(groupKey(name));
  const unnamed = stored.filter(({ key }) => !keys.has(key));
  const provisioned = await provisionedAmong(
    unit,
    'group',
    unnamed.map(({ id }) => id),
  );
  return unnamed
    .filter(({ id }) => !provisioned.has(id))
    .map(({ id, name }) => ({
      kind: 'group',
      name,
      perform: async (write) => {
        const group = await write.groups.find(id);
        return group === undefined ? UNCHANGED : bringGroup(write, group, 'absent', { unguarded: true });
      },
    }));
}

/**
 * The faults of entries that name a group which will not exist: the document does not name it, and it is not stored or
 * `--prune` removes it.
 */
export async function missingGroups(
  { groups }: Pick<PeopleReads, 'groups'>,
  state: WantedState,
  removed: ReadonlySet<string>,
) {
  const named = new Set(state.groups?.map(({ key }) => key));
  const mentions = [...(state.groups ?? []), ...(state.users ?? [])].flatMap(
    ({ pointer, groups: outer = [] }) =>
      outer.map((name, index) => ({ name, key: groupKey(name), pointer: `${pointer}/groups/${index}` })),
  );
  const others = [...new Set(mentions.map(({ key }) => key).filter((key) => !named.has(key)))];
  const stored = await readAll(others, (key) => groups.findByKey(key));
  const missing = new Set(others.filter((key, index) => stored[index] === undefined || removed.has(key)));
  return mentions
    .filter(({ key }) => missing.has(key))
    .map(({ name, key, pointer }) => {
      const why = removed.has(key)
        ? `names the group "${name}", which --prune would remove: add it to "groups"`
        : `names the group "${name}", which does not exist: add it to "groups"`;
      return state.faultAt(pointer, why);
    });
}
