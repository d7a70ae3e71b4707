import { isRefusal } from '../../../core/domain/refusal.ts';
import { answer, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { SCIM_CALL } from '../call.ts';
import { resourceShown, selectionIn, shownArguments } from '../shown.ts';
import { findGroup } from './group-id.ts';
import { groupRecords, groupResource } from './record.ts';

export const groupPath = Type.Object({ id: Type.String({ description: 'The `id` of the group.' }) });

/** RFC 7644 section 3.4.1: show a group. */
export const groupGet = operation({
  ...SCIM_CALL,
  id: 'org/service/repository/scim/groups/group.get',
  summary: 'Show a group, with its members unless they are left out.',
  method: 'GET',
  paths: ['/Groups/{id}'],
  access: 'read',
  revalidated: true,
  input: { path: groupPath, query: Type.Object(shownArguments) },
  output: resourceShown,
  refusals: ['group_not_found'],
  async perform({ input: { path, query }, store, basePath }) {
    const group = await findGroup(store, path.id);
    if (isRefusal(group)) return group;
    // The tag is that of the whole group, also for a caller who leaves the members out.
    const [record] = await groupRecords(store, [group], true);
    const resource = groupResource(record as NonNullable<typeof record>, basePath);
    return answer({ resource, selection: selectionIn(query) });
  },
});
