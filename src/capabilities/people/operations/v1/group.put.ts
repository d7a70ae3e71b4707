import type { Group } from '../../../../core/domain/group.ts';
import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { v1GroupShown } from '../../representations/v1/group.ts';
import { V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { bringGroup } from '../../rules/bring-group.ts';
import { findGroup } from '../../rules/groups.ts';
import { withParents } from '../../rules/visible-groups.ts';
import { groupId } from './group.get.ts';

/** Specification, section 12: change the display name of a group, as Alfresco's tools do. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/group.put',
  summary: 'Change the display name of a group, by the v1 API.',
  family: 'Groups',
  method: 'PUT',
  paths: ['/alfresco/versions/1/groups/{groupId}'],
  input: {
    path: Type.Object({ groupId }),
    body: Type.Object(
      { displayName: Type.String({ description: 'The name that people read.', examples: ['All staff'] }) },
      { additionalProperties: false },
    ),
  },
  output: v1GroupShown,
  refusals: ['group_not_found', 'body_unreadable', 'body_invalid'],
  async perform({ input: { path, body }, store }) {
    const group = await findGroup(store, path.groupId);
    if (isRefusal(group)) return group;
    const outcome = await bringGroup(store, group, body);
    // A name ends no role of an administrator.
    if (isRefusal(outcome)) return outcome as Refusal<'body_invalid'>;
    return changed(await withParents(store, (await store.groups.find(group.id)) as Group), outcome.events);
  },
});
