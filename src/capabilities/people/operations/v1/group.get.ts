import { V1_CALL } from '../../../../core/api.ts';
import { ADMINISTRATORS_GROUP, EVERYONE_GROUP, groupKey, wireNameOf } from '../../../../core/domain/group.ts';
import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import { answer, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { v1GroupShown } from '../../representations/v1/group.ts';
import { findGroup } from '../../rules/groups.ts';
import { asIncluded, includeArgument, seesEverybody, withParents } from '../../rules/visible-groups.ts';

/** The name of a group in the path of an operation of the v1 API. */
export const groupId = Type.String({
  description: 'The name of a group, with or without `GROUP_`.',
  examples: ['GROUP_staff'],
});

/** Specification, section 12: one group. A group that the caller may not see is answered as one that does not exist. */
export default operation({
  id: 'org/service/repository/v1/group.get',
  summary: 'Show a group, by the v1 API.',
  family: 'Groups',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/groups/{groupId}'],
  authentication: 'user',
  access: 'read',
  input: {
    path: Type.Object({ groupId: Type.String({ ...groupId, examples: [wireNameOf(EVERYONE_GROUP)] }) }),
    query: Type.Object({ include: includeArgument }),
  },
  output: v1GroupShown,
  refusals: ['group_not_found'],
  async perform({ input: { path, query }, ...context }) {
    const { store, caller } = context;
    const key = groupKey(path.groupId);
    if (key === groupKey(EVERYONE_GROUP.name)) return answer(asIncluded(EVERYONE_GROUP, query));
    const [own, all] = await Promise.all([store.groups.ofUser(caller.user.id), seesEverybody(context)]);
    if (!all && !own.some((group) => group.key === key))
      return refuse('group_not_found', { detail: 'there is no such group that you may see' });
    if (key === groupKey(ADMINISTRATORS_GROUP.name)) return answer(asIncluded(ADMINISTRATORS_GROUP, query));
    const group = await findGroup(store, path.groupId);
    return isRefusal(group) ? group : answer(asIncluded(await withParents(store, group), query));
  },
});
