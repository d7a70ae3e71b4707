import type { ChangeEvent } from '../../domain/event.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { changed, operation } from '../../operation.ts';
import { isForbidden } from '../../people/outcome.ts';
import { refusalOf } from '../../people/refusals.ts';
import { keepingAnAdministrator } from '../../people/users.ts';
import { nothingShown } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';
import { SCIM_CALL, type ScimRules } from '../call.ts';
import { changesIn } from '../patch.ts';
import { faultOfGroupChange } from '../reach.ts';
import { patchGroup } from './change.ts';
import { groupPath } from './group.get.ts';
import { findGroup } from './group-id.ts';

/** RFC 7644 section 3.5.2: change a group. The answer has no body, which could have thousands of members. */
export const groupPatch = ({ provider }: ScimRules) =>
  operation({
    ...SCIM_CALL,
    id: 'org/service/repository/scim/groups/group.patch',
    summary: 'Change a group or its members.',
    method: 'PATCH',
    paths: ['/Groups/{id}'],
    access: 'write',
    input: { path: groupPath, body: Type.Object({}) },
    answers: 204,
    output: nothingShown,
    refusals: [
      'group_not_found',
      'body_unreadable',
      'body_invalid',
      'path_invalid',
      'target_missing',
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
      if (fault !== undefined) return refusalOf(fault);
      const changes = changesIn({ ...body });
      if (isRefusal(changes)) return changes;
      const made = await keepingAnAdministrator(store, async () => {
        const events: ChangeEvent[] = [];
        for (const change of changes) {
          const outcome = await patchGroup(store, group, change, provider);
          if (isForbidden(outcome)) return outcome;
          events.push(...outcome.events);
        }
        return { events };
      });
      return isForbidden(made) ? refusalOf(made) : changed(undefined, made.events);
    },
  });
