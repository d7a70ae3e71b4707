import { V1_CALL } from '../../../../core/api.ts';
import { pageOf } from '../../../../core/domain/list-page.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { pagingOf } from '../../../../core/representations/v1/list.ts';
import { Type } from '../../../../core/schema.ts';
import { v1GroupsShown } from '../../representations/v1/group.ts';
import {
  allWithParents,
  asIncluded,
  groupsArguments,
  groupsInOrder,
  includeArgument,
  selectsRoots,
  visibleGroups,
} from '../../rules/visible-groups.ts';

/** Specification, section 12: the groups that the caller may see. */
export default operation({
  id: 'org/service/repository/v1/groups.get',
  summary: 'List the groups that the caller may see, by the v1 API.',
  family: 'Groups',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/groups'],
  authentication: 'user',
  access: 'read',
  input: { query: Type.Object({ ...groupsArguments, include: includeArgument }) },
  output: v1GroupsShown,
  refusals: ['argument_invalid', 'skip_count_negative', 'max_items_not_positive', 'filter_too_wide'],
  async perform({ input: { query }, ...context }) {
    const visible = await visibleGroups(context);
    if (isRefusal(visible)) return visible;
    const { store } = context;
    const roots = selectsRoots(query);
    const selected =
      roots === undefined
        ? visible
        : (await allWithParents(store, visible)).filter(({ root }) => root === roots);
    const page = pageOf(groupsInOrder(selected, query), pagingOf(query));
    const items = await allWithParents(store, page.items);
    return answer({ ...page, items: items.map((group) => asIncluded(group, query)) });
  },
});
