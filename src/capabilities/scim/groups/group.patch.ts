import type { ChangeEvent } from '../../../core/domain/event.ts';
import type { Group } from '../../../core/domain/group.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import { changed, operation } from '../../../core/operation.ts';
import { nothingShown } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { bringGroup } from '../../people/rules/bring-group.ts';
import { keepingAnAdministrator } from '../../people/rules/users.ts';
import type { Attributes } from '../attributes.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { changesIn, faultOfChanges, type PatchChange } from '../patch.ts';
import { faultOfGroupChange } from '../reach.ts';
import { shownArguments } from '../shown.ts';
import { desiredByPatch } from './change.ts';
import { groupGet, groupPath } from './group.get.ts';
import { findGroup } from './group-id.ts';
import { groupRecords, groupResource } from './record.ts';

/** The changes in the body, unless one of them is of what no PATCH may change. */
async function changesOf(unit: WriteUnit, group: Group, body: Attributes) {
  const changes = changesIn(body);
  if (isRefusal(changes)) return changes;
  const [record] = await groupRecords(unit, [group], false);
  const resource = groupResource(record as NonNullable<typeof record>, '');
  return (
    faultOfChanges(changes, resource, { readOnly: ['id', 'meta'], required: ['displayName'] }) ?? changes
  );
}

/** Makes the changes of a PATCH in their order, until one is forbidden. */
async function patchAll(
  unit: WriteUnit,
  group: Group,
  changes: readonly PatchChange[],
  provider: string | undefined,
) {
  const events: ChangeEvent[] = [];
  for (const change of changes) {
    const desired = await desiredByPatch(unit, group, change, provider);
    if (isRefusal(desired)) return desired;
    const outcome = await bringGroup(unit, group, desired, { unguarded: true });
    if (isRefusal(outcome)) return outcome;
    events.push(...outcome.events);
  }
  return { events };
}

/** RFC 7644 section 3.5.2: change a group. The answer has no body, which could have thousands of members. */
export const groupPatch = ({ provider }: ScimRules) =>
  operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/groups/group.patch',
    summary: 'Change a group or its members.',
    method: 'PATCH',
    paths: ['/Groups/{id}'],
    access: 'write',
    ifMatch: groupGet,
    input: { path: groupPath, query: Type.Object(shownArguments), body: Type.Object({}) },
    answers: 204,
    output: nothingShown,
    refusals: [
      'group_not_found',
      'body_unreadable',
      'body_invalid',
      'path_invalid',
      'target_missing',
      'attribute_fixed',
      'name_taken',
      'group_circle',
      'group_has_role',
      'user_not_provisioned',
      'last_administrator',
    ],
    async perform({ input: { path, body }, store }) {
      const group = await findGroup(store, path.id);
      if (isRefusal(group)) return group;
      const fault = await faultOfGroupChange(store, group);
      if (fault !== undefined) return fault;
      const changes = await changesOf(store, group, { ...body });
      if (isRefusal(changes)) return changes;
      const outcome = await keepingAnAdministrator(store, () => patchAll(store, group, changes, provider));
      return isRefusal(outcome) ? outcome : changed(undefined, outcome.events);
    },
  });
