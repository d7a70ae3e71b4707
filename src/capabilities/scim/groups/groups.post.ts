import { isForbidden } from '../../../core/domain/outcome.ts';
import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { changed, operation } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import type { WriteUnit } from '../../../core/storage/store.ts';
import { refusalOf } from '../../people/rules/refusals.ts';
import { keepingAnAdministrator } from '../../people/rules/users.ts';
import { type Attributes, valueIn } from '../attributes.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { addedShown, isSelected, selectionIn, shownArguments } from '../shown.ts';
import { addGroupNamed, replaceMembers, setGroupExternalId } from './change.ts';
import { groupRecords, groupResource } from './record.ts';

/** The state of a group that the body of a POST or a PUT asks for. A member is undefined if the body does not name it. */
export interface GroupWanted {
  readonly displayName: string | undefined;
  readonly externalId: string | undefined;
  readonly members: readonly unknown[] | undefined;
}

/** Reads the body of a POST or a PUT. Attributes that a group does not have here are ignored. */
export function wantedGroupIn(body: Attributes): GroupWanted | Refusal<'body_invalid'> {
  const [displayName, externalId, members] = ['displayName', 'externalId', 'members'].map((name) =>
    valueIn(body, name),
  );
  for (const [name, value] of Object.entries({ displayName, externalId }))
    if (value !== undefined && typeof value !== 'string')
      return refuse('body_invalid', { detail: `${name} is no text` });
  if (members !== undefined && !Array.isArray(members))
    return refuse('body_invalid', { detail: 'members is no list' });
  return { displayName, externalId, members } as GroupWanted;
}

/** Adds a group as it is wanted. */
async function addWanted(
  unit: WriteUnit,
  displayName: string,
  { externalId, members = [] }: GroupWanted,
  provider: string | undefined,
) {
  const added = await addGroupNamed(unit, displayName);
  if (isForbidden(added)) return added;
  const { group } = added;
  const named = await setGroupExternalId(unit, group, externalId);
  if (isForbidden(named)) return named;
  const joined = await replaceMembers(unit, group, members, provider);
  if (isForbidden(joined)) return joined;
  return { group, events: [...added.events, ...named.events, ...joined.events] };
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
      const wanted = wantedGroupIn({ ...body });
      if (isRefusal(wanted)) return wanted;
      const { displayName } = wanted;
      if (displayName === undefined) return refuse('body_invalid', { detail: 'displayName is missing' });
      const added = await keepingAnAdministrator(store, () =>
        addWanted(store, displayName, wanted, provider),
      );
      if (isForbidden(added)) return refusalOf(added);
      const selection = selectionIn(query);
      const [record] = await groupRecords(store, [added.group], isSelected(selection, 'members'));
      const resource = groupResource(record as NonNullable<typeof record>, basePath);
      return changed({ resource, selection }, added.events);
    },
  });
