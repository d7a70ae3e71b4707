import { ADMINISTRATORS_GROUP, type Group, type GroupSeen, wireNameOf } from '../../../core/domain/group.ts';
import { isRefusal, type Refusal } from '../../../core/domain/refusal.ts';
import { inOrderBy, orderArgument, pagingArguments } from '../../../core/representations/v1/list.ts';
import { Type } from '../../../core/schema.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import type { PersonContext } from '../operations/people/person.get.ts';
import type { V1Group } from '../representations/v1/group.ts';
import { allGroups } from './groups.ts';

/** The arguments of a list of groups. */
export const groupsArguments = {
  ...pagingArguments,
  orderBy: orderArgument('displayName', 'id'),
  where: Type.Optional(
    Type.String({
      pattern: '^( *\\( *isRoot *= *(true|false) *\\) *)?$',
      description: '(isRoot=true) for groups that no other group contains, (isRoot=false) for the others.',
    }),
  ),
};

/** The argument that adds members to each group. Names that are not known add nothing, as in the reference. */
export const includeArgument = Type.Optional(
  Type.String({ description: 'parentIds for the groups that contain each one directly.' }),
);

/** Which groups `where` selects: the roots, the others, or all of them. */
export const selectsRoots = ({ where = '' }: { readonly where?: string }): boolean | undefined =>
  where.trim() === '' ? undefined : where.includes('true');

/** The groups in the order that is asked for. */
export const groupsInOrder = <G extends Pick<Group, 'name' | 'displayName'>>(
  groups: readonly G[],
  { orderBy = '' }: { readonly orderBy?: string },
): readonly G[] =>
  inOrderBy(groups, orderBy, { displayName: ({ displayName }) => displayName, id: wireNameOf });

/** Adds to a group what contains it. */
export async function withParents({ groups }: Pick<ReadUnit, 'groups'>, group: Group): Promise<V1Group> {
  const parents = await groups.containing(group.id);
  return { ...group, root: parents.length === 0, parentIds: parents.map(wireNameOf) };
}

/** Leaves out the parents, unless they are asked for. */
export const asIncluded = (group: V1Group, { include = '' }: { readonly include?: string }): V1Group => ({
  ...group,
  parentIds: /\bparentIds\b/.test(include) ? (group.parentIds ?? []) : undefined,
});

/** Whether the caller sees the users and groups of everybody: an administrator, or each user with `TESSERA_PEOPLE_VISIBLE=all`. */
export const seesEverybody = async ({ caller, allPeopleVisible, store }: PersonContext): Promise<boolean> =>
  allPeopleVisible || (await store.roles.of(caller.user.id)) === 'administrator';

/** The groups that the caller may see: all, or those that contain it. The group of administrators is among all. */
export async function visibleGroups(
  context: PersonContext,
): Promise<readonly (Group | GroupSeen)[] | Refusal<'filter_too_wide'>> {
  const { caller, store } = context;
  if (!(await seesEverybody(context))) return store.groups.ofUser(caller.user.id);
  const all = await allGroups(store);
  return isRefusal(all) ? all : [...all, ADMINISTRATORS_GROUP];
}

/** The groups with what contains them. */
export const allWithParents = (
  unit: Pick<ReadUnit, 'groups'>,
  groups: readonly (Group | GroupSeen)[],
): Promise<readonly V1Group[]> =>
  Promise.all(groups.map((group) => ('id' in group ? withParents(unit, group) : group)));
