import type { AnyOperation } from '../../core/operation.ts';
import type { ScimRules } from './call.ts';
import { DISCOVERY } from './discovery/discovery.ts';
import { groupDelete } from './groups/group.delete.ts';
import { groupGet } from './groups/group.get.ts';
import { groupPatch } from './groups/group.patch.ts';
import { groupPut } from './groups/group.put.ts';
import { groupsGet } from './groups/groups.get.ts';
import { groupsPost } from './groups/groups.post.ts';
import { userDelete } from './users/user.delete.ts';
import { userGet } from './users/user.get.ts';
import { userPatch, userPut } from './users/user-change.ts';
import { usersGet } from './users/users.get.ts';
import { usersPost } from './users/users.post.ts';

/** The operations of SCIM. They are served beside the others, and described by their own schemas instead of OpenAPI. */
export function scimOperations(rules: ScimRules): readonly AnyOperation[] {
  return [
    usersGet(rules),
    usersPost(rules),
    userGet(rules),
    userPut(rules),
    userPatch(rules),
    userDelete(rules),
    groupsGet,
    groupsPost(rules),
    groupGet,
    groupPut(rules),
    groupPatch(rules),
    groupDelete,
    ...DISCOVERY,
  ];
}
