import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import { changed, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { bringGroup } from '../../people/rules/bring-group.ts';
import { allOrNothing } from '../../people/rules/users.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { addedShown, isSelected, selectionIn, shownArguments } from '../shown.ts';
import { addGroupNamed, desiredGroup } from './change.ts';
import { groupRecords, groupResource } from './record.ts';
import { type GroupWanted, wantedGroupIn } from './wanted.ts';

/** Adds a group as it is wanted. */
async function addWanted(
  unit: WriteUnit,
  displayName: string,
  target: GroupWanted,
  provider: string | undefined,
) {
  const added = await addGroupNamed(unit, displayName);
  if (isRefusal(added)) return added;
  const { group } = added;
  const desired = await desiredGroup(unit, undefined, target, provider);
  if (isRefusal(desired)) return desired;
  const placed = await bringGroup(unit, group, desired);
  return isRefusal(placed) ? placed : { group, events: [...added.events, ...placed.events] };
}

/** RFC 7644 section 3.3: add a group. */
export const groupsPost = ({ provider }: ScimRules) =>
  operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/groups/groups.post',
    summary: 'Add a group.',
    method: 'POST',
    paths: ['/Groups'],
    access: 'write',
    input: { query: Type.Object(shownArguments), body: Type.Object({}) },
    answers: 201,
    output: addedShown,
    refusals: [
      'body_unreadable',
      'body_invalid',
      'name_taken',
      'group_circle',
      'group_has_role',
      'user_not_provisioned',
      'last_administrator',
    ],
    async perform({ input: { body, query }, store, basePath }) {
      const target = wantedGroupIn({ ...body });
      if (isRefusal(target)) return target;
      const { displayName } = target;
      if (displayName === undefined) return refuse('body_invalid', { detail: 'displayName is missing' });
      const added = await allOrNothing(store, () => addWanted(store, displayName, target, provider));
      if (isRefusal(added)) return added;
      const selection = selectionIn(query);
      const [record] = await groupRecords(store, [added.group], isSelected(selection, 'members'));
      const resource = groupResource(record as NonNullable<typeof record>, basePath);
      return changed({ resource, selection }, added.events);
    },
  });
