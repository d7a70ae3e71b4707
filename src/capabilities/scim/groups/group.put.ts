import type { Group } from '../../../core/domain/group.ts';
import { isForbidden, UNCHANGED } from '../../../core/domain/outcome.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import { changed, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { refusalOf } from '../../people/rules/refusals.ts';
import { keepingAnAdministrator } from '../../people/rules/users.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { faultOfGroupChange } from '../reach.ts';
import { isSelected, resourceShown, selectionIn, shownArguments } from '../shown.ts';
import { renameGroup, replaceMembers, setGroupExternalId } from './change.ts';
import { groupGet, groupPath } from './group.get.ts';
import { findGroup } from './group-id.ts';
import { type GroupWanted, wantedGroupIn } from './groups.post.ts';
import { groupRecords, groupResource } from './record.ts';

/** Makes a group as it is wanted. What is not named stays as it is, as RFC 7644 section 3.5.1 allows. */
async function replace(
  unit: WriteUnit,
  group: Group,
  { displayName, externalId, members }: GroupWanted,
  provider: string | undefined,
) {
  const renamed = await renameGroup(unit, group, displayName ?? group.displayName);
  if (isForbidden(renamed)) return renamed;
  const named = externalId === undefined ? UNCHANGED : await setGroupExternalId(unit, group, externalId);
  if (isForbidden(named)) return named;
  const joined = members === undefined ? UNCHANGED : await replaceMembers(unit, group, members, provider);
  if (isForbidden(joined)) return joined;
  return { events: [...renamed.events, ...named.events, ...joined.events] };
}

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
      if (fault !== undefined) return refusalOf(fault);
      const wanted = wantedGroupIn({ ...body });
      if (isRefusal(wanted)) return wanted;
      const made = await keepingAnAdministrator(store, () => replace(store, group, wanted, provider));
      if (isForbidden(made)) return refusalOf(made);
      const after = await findGroup(store, path.id);
      if (isRefusal(after)) return after;
      const selection = selectionIn(query);
      const [record] = await groupRecords(store, [after], isSelected(selection, 'members'));
      const resource = groupResource(record as NonNullable<typeof record>, basePath);
      return changed({ resource, selection }, made.events);
    },
  });
