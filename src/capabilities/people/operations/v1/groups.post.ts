import type { ChangeEvent } from '../../../../core/domain/event.ts';
import type { Group } from '../../../../core/domain/group.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { changed, operation } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { v1GroupShown } from '../../representations/v1/group.ts';
import { V1_ADMINISTRATION } from '../../representations/v1/person-body.ts';
import { addGroup, findGroup, joinGroup } from '../../rules/groups.ts';
import { withParents } from '../../rules/visible-groups.ts';

/** Specification, section 12: add a group, as Alfresco's tools do. */
export default operation({
  ...V1_ADMINISTRATION,
  id: 'org/service/repository/v1/groups.post',
  summary: 'Add a group, by the v1 API.',
  family: 'Groups',
  method: 'POST',
  paths: ['/alfresco/versions/1/groups'],
  input: {
    body: Type.Object(
      {
        id: Type.String({
          minLength: 1,
          description: 'The name, with or without `GROUP_`.',
          examples: ['editors'],
        }),
        displayName: Type.Optional(
          Type.String({ description: 'The name that people read; the short name when left out.' }),
        ),
        parentIds: Type.Optional(
          Type.Array(Type.String(), { description: 'The groups that are to contain it.' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  answers: 201,
  output: v1GroupShown,
  refusals: ['body_unreadable', 'body_invalid', 'name_taken', 'group_not_found'],
  async perform({ input: { body }, store }) {
    const { id, displayName, parentIds = [] } = body;
    const parents: Group[] = [];
    for (const parent of parentIds) {
      const found = await findGroup(store, parent);
      if (isRefusal(found)) return found;
      parents.push(found);
    }
    const added = await addGroup(store, id, { displayName });
    if (isRefusal(added)) return added;
    const { group, events } = added;
    const placed: ChangeEvent[] = [];
    for (const parent of parents) {
      const joined = await joinGroup(store, parent, { group });
      if (isRefusal(joined)) throw new Error(`a group without members closes a circle: ${joined.detail}`);
      placed.push(...joined.events);
    }
    return changed(await withParents(store, group), [...events, ...placed]);
  },
});
