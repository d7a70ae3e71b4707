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
import v1GroupDelete from './operations/v1/group.delete.ts';
import v1GroupGet from './operations/v1/group.get.ts';
import v1GroupPut from './operations/v1/group.put.ts';
import v1GroupsGet from './operations/v1/groups.get.ts';
import v1GroupsPost from './operations/v1/groups.post.ts';
import v1MemberDelete from './operations/v1/member.delete.ts';
import v1MembersGet from './operations/v1/members.get.ts';
import v1MembersPost from './operations/v1/members.post.ts';
import v1PeopleGet from './operations/v1/people.get.ts';
import v1PeoplePost from './operations/v1/people.post.ts';
import v1PersonGet from './operations/v1/person.get.ts';
import v1PersonPut from './operations/v1/person.put.ts';
import v1PersongroupsGet from './operations/v1/persongroups.get.ts';

/** The operations of this capability that the description of the service shows. */
export const OPERATIONS: readonly AnyOperation[] = [
  personGet,
  metadataGet,
  changepasswordPost,
  preferencesGet,
  v1PersonGet,
  v1PersongroupsGet,
  v1PeopleGet,
  v1PeoplePost,
  v1PersonPut,
  v1GroupsGet,
  v1GroupsPost,
  v1GroupGet,
  v1GroupPut,
  v1GroupDelete,
  v1MembersGet,
  v1MembersPost,
  v1MemberDelete,
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
