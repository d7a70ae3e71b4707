import type { AnyOperation } from '../operation.ts';
import adminApikeyDelete from './admin/apikey.delete.ts';
import adminApikeyGet from './admin/apikey.get.ts';
import adminApikeysGet from './admin/apikeys.get.ts';
import adminApikeysPost from './admin/apikeys.post.ts';
import adminClientDelete from './admin/client.delete.ts';
import adminClientGet from './admin/client.get.ts';
import adminClientsGet from './admin/clients.get.ts';
import adminClientsPost from './admin/clients.post.ts';
import adminCountsGet from './admin/events/counts.get.ts';
import adminEventsStreamGet from './admin/events/stream.get.ts';
import adminEventsGet from './admin/events.get.ts';
import adminGroupDelete from './admin/groups/group.delete.ts';
import adminGroupGet from './admin/groups/group.get.ts';
import adminGroupPatch from './admin/groups/group.patch.ts';
import adminGroupsGet from './admin/groups/groups.get.ts';
import adminGroupsPost from './admin/groups/groups.post.ts';
import adminMembergroupDelete from './admin/groups/membergroup.delete.ts';
import adminMembergroupPut from './admin/groups/membergroup.put.ts';
import adminMembersGet from './admin/groups/members.get.ts';
import adminMemberuserDelete from './admin/groups/memberuser.delete.ts';
import adminMemberuserPut from './admin/groups/memberuser.put.ts';
import adminLockoutDelete from './admin/lockout.delete.ts';
import adminLockoutGet from './admin/lockout.get.ts';
import adminLockoutsGet from './admin/lockouts.get.ts';
import adminSettingsGet from './admin/settings.get.ts';
import adminStatusGet from './admin/status.get.ts';
import adminTicketsDelete from './admin/tickets.delete.ts';
import adminTicketsGet from './admin/tickets.get.ts';
import adminAppPasswordDelete from './admin/users/apppassword.delete.ts';
import adminAppPasswordsGet from './admin/users/apppasswords.get.ts';
import adminAppPasswordsPost from './admin/users/apppasswords.post.ts';
import adminPasswordPut from './admin/users/password.put.ts';
import adminSecondFactorDelete from './admin/users/secondfactor.delete.ts';
import adminSecondFactorGet from './admin/users/secondfactor.get.ts';
import adminSigninGet from './admin/users/signin.get.ts';
import adminUserTicketDelete from './admin/users/ticket.delete.ts';
import adminUserTicketsDelete from './admin/users/tickets.delete.ts';
import adminUserTicketsGet from './admin/users/tickets.get.ts';
import adminUserDelete from './admin/users/user.delete.ts';
import adminUserGet from './admin/users/user.get.ts';
import adminUserPatch from './admin/users/user.patch.ts';
import adminUsersGet from './admin/users/users.get.ts';
import adminUsersPost from './admin/users/users.post.ts';
import adminWebhooksGet from './admin/webhooks.get.ts';
import discoveryGet from './discovery.get.ts';
import gateGet from './gate.get.ts';
import indexGet from './index/index.get.ts';
import operationGet from './index/operation.get.ts';
import loginGet from './login.get.ts';
import loginPost from './login.post.ts';
import loginticketDelete from './loginticket.delete.ts';
import loginticketGet from './loginticket.get.ts';
import introspectPost from './oauth2/introspect.post.ts';
import revokePost from './oauth2/revoke.post.ts';
import openapiGet from './openapi.get.ts';
import changepasswordPost from './people/changepassword.post.ts';
import metadataGet from './people/metadata.get.ts';
import personGet from './people/person.get.ts';
import preferencesGet from './people/preferences.get.ts';
import referenceGet from './reference/reference.get.ts';
import scriptGet from './reference/script.get.ts';
import styleGet from './reference/style.get.ts';
import restrictionsGet from './restrictions.get.ts';
import actiondefGet from './rule/actiondef.get.ts';
import actiondefinitionsGet from './rule/actiondefinitions.get.ts';
import actiondefsGet from './rule/actiondefs.get.ts';
import conditionsGet from './rule/conditions.get.ts';
import constraintGet from './rule/constraint.get.ts';
import constraintsGet from './rule/constraints.get.ts';
import ruletypesGet from './rule/ruletypes.get.ts';
import validatePost from './rule/validate.post.ts';
import serverGet from './server.get.ts';
import touchGet from './touch.get.ts';
import v1ActiondefinitionGet from './v1/actiondefinition.get.ts';
import v1ActiondefinitionsGet from './v1/actiondefinitions.get.ts';
import v1ConstraintGet from './v1/constraint.get.ts';
import v1PersonGet from './v1/person.get.ts';
import v1PersongroupsGet from './v1/persongroups.get.ts';
import v1ProbeGet from './v1/probe.get.ts';
import v1TicketDelete from './v1/ticket.delete.ts';
import v1TicketGet from './v1/ticket.get.ts';
import v1TicketsPost from './v1/tickets.post.ts';

/** Every operation, in the order of the specification. A law holds this list against the folder. */
export const operations: readonly AnyOperation[] = [
  loginGet,
  loginPost,
  loginticketDelete,
  loginticketGet,
  actiondefsGet,
  actiondefGet,
  validatePost,
  actiondefinitionsGet,
  constraintsGet,
  constraintGet,
  conditionsGet,
  ruletypesGet,
  serverGet,
  discoveryGet,
  touchGet,
  restrictionsGet,
  personGet,
  metadataGet,
  changepasswordPost,
  preferencesGet,
  indexGet,
  operationGet,
  openapiGet,
  referenceGet,
  scriptGet,
  styleGet,
  v1TicketsPost,
  v1TicketGet,
  v1TicketDelete,
  v1PersonGet,
  v1PersongroupsGet,
  v1ActiondefinitionsGet,
  v1ActiondefinitionGet,
  v1ConstraintGet,
  v1ProbeGet,
  gateGet,
  introspectPost,
  revokePost,
  adminStatusGet,
  adminSettingsGet,
  adminWebhooksGet,
  adminUsersGet,
  adminUsersPost,
  adminUserGet,
  adminUserPatch,
  adminUserDelete,
  adminPasswordPut,
  adminAppPasswordsGet,
  adminAppPasswordsPost,
  adminAppPasswordDelete,
  adminUserTicketsGet,
  adminUserTicketsDelete,
  adminSigninGet,
  adminSecondFactorGet,
  adminSecondFactorDelete,
  adminUserTicketDelete,
  adminTicketsDelete,
  adminTicketsGet,
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
  adminApikeysGet,
  adminApikeysPost,
  adminApikeyGet,
  adminApikeyDelete,
  adminClientsGet,
  adminClientsPost,
  adminClientGet,
  adminClientDelete,
  adminLockoutsGet,
  adminLockoutGet,
  adminLockoutDelete,
  adminEventsGet,
  adminCountsGet,
  adminEventsStreamGet,
];
