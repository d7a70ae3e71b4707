import { isRefusal } from '../../../core/domain/refusal.ts';
import { changed, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { bringGroup } from '../../people/rules/bring-group.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { faultOfGroupChange } from '../reach.ts';
import { isSelected, resourceShown, selectionIn, shownArguments } from '../shown.ts';
import { desiredGroup } from './change.ts';
import { groupGet, groupPath } from './group.get.ts';
import { findGroup } from './group-id.ts';
import { groupRecords, groupResource } from './record.ts';
import { wantedGroupIn } from './wanted.ts';

/** RFC 7644 section 3.5.1: replace a group. */
export const groupPut = ({ provider }: ScimRules) =>
  operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/groups/group.put',
    summary: 'Replace a group with its members.',
    method: 'PUT',
    paths: ['/Groups/{id}'],
    access: 'write',
    ifMatch: groupGet,
    input: { path: groupPath, query: Type.Object(shownArguments), body: Type.Object({}) },
    output: resourceShown,
    refusals: [
      'group_not_found',
      'body_unreadable',
      'body_invalid',
      'name_taken',
      'group_circle',
      'group_has_role',
      'user_not_provisioned',
      'last_administrator',
    ],
    async perform({ input: { path, body, query }, store, basePath }) {
      const group = await findGroup(store, path.id);
      if (isRefusal(group)) return group;
      const fault = await faultOfGroupChange(store, group);
      if (fault !== undefined) return fault;
      const target = wantedGroupIn({ ...body });
      if (isRefusal(target)) return target;
      const desired = await desiredGroup(store, group, target, provider);
      if (isRefusal(desired)) return desired;
      const parsed = await bringGroup(store, group, desired);
      if (isRefusal(parsed)) return parsed;
      const after = await findGroup(store, path.id);
      if (isRefusal(after)) return after;
      const selection = selectionIn(query);
      const [record] = await groupRecords(store, [after], isSelected(selection, 'members'));
      const resource = groupResource(record as NonNullable<typeof record>, basePath);
      return changed({ resource, selection }, parsed.events);
    },
  });
