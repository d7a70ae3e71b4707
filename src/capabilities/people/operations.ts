import type { AnyOperation } from '../../core/operation.ts';
import adminGroupDelete from './operations/admin/groups/group.delete.ts';
import adminGroupGet from './operations/admin/groups/group.get.ts';
import adminGroupPatch from './operations/admin/groups/group.patch.ts';
import adminGroupsGet from './operations/admin/groups/groups.get.ts';
import adminGroupsPost from './operations/admin/groups/groups.post.ts';
import adminMembergroupDelete from './operations/admin/groups/membergroup.delete.ts';
import adminMembergroupPut from './operations/admin/groups/membergroup.put.ts';
import adminMembersGet from './operations/admin/groups/members.get.ts';
import adminMemberuserDelete from './operations/admin/groups/memberuser.delete.ts';
import adminMemberuserPut from './operations/admin/groups/memberuser.put.ts';
import adminPasswordPut from './operations/admin/users/password.put.ts';
import adminUserDelete from './operations/admin/users/user.delete.ts';
import adminUserGet from './operations/admin/users/user.get.ts';
import adminUserPatch from './operations/admin/users/user.patch.ts';
import adminUsersGet from './operations/admin/users/users.get.ts';
import adminUsersPost from './operations/admin/users/users.post.ts';
import changepasswordPost from './operations/people/changepassword.post.ts';
import metadataGet from './operations/people/metadata.get.ts';
import personGet from './operations/people/person.get.ts';
import preferencesGet from './operations/people/preferences.get.ts';
import v1PersonGet from './operations/v1/person.get.ts';
import v1PersongroupsGet from './operations/v1/persongroups.get.ts';

/** The operations of this capability that the description of the service shows. */
export const OPERATIONS: readonly AnyOperation[] = [
  personGet,
  metadataGet,
  changepasswordPost,
  preferencesGet,
  v1PersonGet,
  v1PersongroupsGet,
  adminUsersGet,
  adminUsersPost,
  adminUserGet,
  adminUserPatch,
  adminUserDelete,
  adminPasswordPut,
  adminGroupsGet,
  adminGroupsPost,
  adminGroupGet,
  adminGroupPatch,
  adminGroupDelete,
  adminMembersGet,
  adminMemberuserPut,
  adminMemberuserDelete,
  adminMembergroupPut,
  adminMembergroupDelete,
];
