import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { Type } from '../../../../../core/schema.ts';
import { groupShown } from '../../../representations/admin/group.ts';
import { findGroup } from '../../../rules/groups.ts';

/** Specification, section 16: show a group. */
export default adminOperation({
  id: 'org/service/repository/admin/groups/group.get',
  summary: 'Show a group.',
  method: 'GET',
  paths: ['/api/admin/groups/{group}'],
  role: 'operator',
  revalidated: true,
  input: {
    path: Type.Object({
      group: Type.String({ description: 'The short name, with or without `GROUP_`.', examples: ['staff'] }),
    }),
  },
  output: groupShown,
  refusals: ['group_not_found'],
  async perform({ input: { path }, store }) {
    const group = await findGroup(store, path.group);
    if (isRefusal(group)) return group;
    return answer({ group, memberOf: await store.groups.containing(group.id) });
  },
});
