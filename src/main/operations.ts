import actiondefGet from '../capabilities/action-definitions/operations/rule/actiondef.get.ts';
import actiondefinitionsGet from '../capabilities/action-definitions/operations/rule/actiondefinitions.get.ts';
import actiondefsGet from '../capabilities/action-definitions/operations/rule/actiondefs.get.ts';
import conditionsGet from '../capabilities/action-definitions/operations/rule/conditions.get.ts';
import constraintGet from '../capabilities/action-definitions/operations/rule/constraint.get.ts';
import constraintsGet from '../capabilities/action-definitions/operations/rule/constraints.get.ts';
import ruletypesGet from '../capabilities/action-definitions/operations/rule/ruletypes.get.ts';
import validatePost from '../capabilities/action-definitions/operations/rule/validate.post.ts';
import v1ActiondefinitionGet from '../capabilities/action-definitions/operations/v1/actiondefinition.get.ts';
import v1ActiondefinitionsGet from '../capabilities/action-definitions/operations/v1/actiondefinitions.get.ts';
import v1ConstraintGet from '../capabilities/action-definitions/operations/v1/constraint.get.ts';
import adminApikeyDelete from '../capabilities/admin/operations/admin/apikey.delete.ts';
import adminApikeyGet from '../capabilities/admin/operations/admin/apikey.get.ts';
import adminApikeysGet from '../capabilities/admin/operations/admin/apikeys.get.ts';
import adminApikeysPost from '../capabilities/admin/operations/admin/apikeys.post.ts';
import adminClientDelete from '../capabilities/admin/operations/admin/client.delete.ts';
import adminClientGet from '../capabilities/admin/operations/admin/client.get.ts';
import adminClientsGet from '../capabilities/admin/operations/admin/clients.get.ts';
import adminClientsPost from '../capabilities/admin/operations/admin/clients.post.ts';
import adminCountsGet from '../capabilities/admin/operations/admin/events/counts.get.ts';
import adminEventsStreamGet from '../capabilities/admin/operations/admin/events/stream.get.ts';
import adminEventsGet from '../capabilities/admin/operations/admin/events.get.ts';
import adminLockoutDelete from '../capabilities/admin/operations/admin/lockout.delete.ts';
import adminLockoutGet from '../capabilities/admin/operations/admin/lockout.get.ts';
import adminLockoutsGet from '../capabilities/admin/operations/admin/lockouts.get.ts';
import adminSettingsGet from '../capabilities/admin/operations/admin/settings.get.ts';
import adminStatusGet from '../capabilities/admin/operations/admin/status.get.ts';
import adminTicketsDelete from '../capabilities/admin/operations/admin/tickets.delete.ts';
import adminTicketsGet from '../capabilities/admin/operations/admin/tickets.get.ts';
import adminSigninGet from '../capabilities/admin/operations/admin/users/signin.get.ts';
import adminUserTicketDelete from '../capabilities/admin/operations/admin/users/ticket.delete.ts';
import adminUserTicketsDelete from '../capabilities/admin/operations/admin/users/tickets.delete.ts';
import adminUserTicketsGet from '../capabilities/admin/operations/admin/users/tickets.get.ts';
import adminAppPasswordDelete from '../capabilities/factors/operations/admin/users/apppassword.delete.ts';
import adminAppPasswordsGet from '../capabilities/factors/operations/admin/users/apppasswords.get.ts';
import adminAppPasswordsPost from '../capabilities/factors/operations/admin/users/apppasswords.post.ts';
import adminSecondFactorDelete from '../capabilities/factors/operations/admin/users/secondfactor.delete.ts';
import adminSecondFactorGet from '../capabilities/factors/operations/admin/users/secondfactor.get.ts';
import adminGroupDelete from '../capabilities/people/operations/admin/groups/group.delete.ts';
import adminGroupGet from '../capabilities/people/operations/admin/groups/group.get.ts';
import adminGroupPatch from '../capabilities/people/operations/admin/groups/group.patch.ts';
import adminGroupsGet from '../capabilities/people/operations/admin/groups/groups.get.ts';
import adminGroupsPost from '../capabilities/people/operations/admin/groups/groups.post.ts';
import adminMembergroupDelete from '../capabilities/people/operations/admin/groups/membergroup.delete.ts';
import adminMembergroupPut from '../capabilities/people/operations/admin/groups/membergroup.put.ts';
import adminMembersGet from '../capabilities/people/operations/admin/groups/members.get.ts';
import adminMemberuserDelete from '../capabilities/people/operations/admin/groups/memberuser.delete.ts';
import adminMemberuserPut from '../capabilities/people/operations/admin/groups/memberuser.put.ts';
import adminPasswordPut from '../capabilities/people/operations/admin/users/password.put.ts';
import adminUserDelete from '../capabilities/people/operations/admin/users/user.delete.ts';
import adminUserGet from '../capabilities/people/operations/admin/users/user.get.ts';
import adminUserPatch from '../capabilities/people/operations/admin/users/user.patch.ts';
import adminUsersGet from '../capabilities/people/operations/admin/users/users.get.ts';
import adminUsersPost from '../capabilities/people/operations/admin/users/users.post.ts';
import changepasswordPost from '../capabilities/people/operations/people/changepassword.post.ts';
import metadataGet from '../capabilities/people/operations/people/metadata.get.ts';
import personGet from '../capabilities/people/operations/people/person.get.ts';
import preferencesGet from '../capabilities/people/operations/people/preferences.get.ts';
import v1PersonGet from '../capabilities/people/operations/v1/person.get.ts';
import v1PersongroupsGet from '../capabilities/people/operations/v1/persongroups.get.ts';
import gateGet from '../capabilities/proxy-gate/operations/gate.get.ts';
import adminWebhooksGet from '../capabilities/webhooks/operations/admin/webhooks.get.ts';
import type { AnyOperation } from '../core/operation.ts';
import discoveryGet from '../core/operations/discovery.get.ts';
import loginGet from '../core/operations/login.get.ts';
import loginPost from '../core/operations/login.post.ts';
import loginticketDelete from '../core/operations/loginticket.delete.ts';
import loginticketGet from '../core/operations/loginticket.get.ts';
import introspectPost from '../core/operations/oauth2/introspect.post.ts';
import revokePost from '../core/operations/oauth2/revoke.post.ts';
import restrictionsGet from '../core/operations/restrictions.get.ts';
import serverGet from '../core/operations/server.get.ts';
import touchGet from '../core/operations/touch.get.ts';
import v1ProbeGet from '../core/operations/v1/probe.get.ts';
import v1TicketDelete from '../core/operations/v1/ticket.delete.ts';
import v1TicketGet from '../core/operations/v1/ticket.get.ts';
import v1TicketsPost from '../core/operations/v1/tickets.post.ts';
import indexGet from '../faces/description/operations/index/index.get.ts';
import operationGet from '../faces/description/operations/index/operation.get.ts';
import openapiGet from '../faces/description/operations/openapi.get.ts';
import referenceGet from '../faces/description/operations/reference/reference.get.ts';
import scriptGet from '../faces/description/operations/reference/script.get.ts';
import styleGet from '../faces/description/operations/reference/style.get.ts';

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
