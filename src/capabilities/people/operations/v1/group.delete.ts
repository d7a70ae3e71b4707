import { isRefusal } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { nothingShown } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { bringGroup } from '../../rules/bring-group.ts';
import { findGroup } from '../../rules/groups.ts';
import { groupId } from './group.get.ts';

/** Specification, section 12: remove a group, as Alfresco's tools do. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/group.delete',
  summary: 'Remove a group, by the v1 API. Its members stay.',
  family: 'Groups',
  method: 'DELETE',
  paths: ['/alfresco/versions/1/groups/{groupId}'],
  input: {
    path: Type.Object({ groupId }),
    query: Type.Object({
      cascade: Type.Optional(
        Type.String({
          pattern: '^(false)?$',
          description: 'false: groups within the group stay. Remove them one by one.',
        }),
      ),
    }),
  },
  answers: 204,
  output: nothingShown,
  refusals: ['group_not_found', 'argument_invalid', 'last_administrator'],
  async perform({ input: { path }, store, actor }) {
    const group = await findGroup(store, path.groupId);
    if (isRefusal(group)) return group;
    const outcome = await bringGroup(store, group, 'absent', { actor });
    return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
  },
});
