import type { Static, TObject, TSchema } from 'typebox';
import type apikeyDelete from '../capabilities/admin/operations/admin/apikey.delete.ts';
import type apikeyGet from '../capabilities/admin/operations/admin/apikey.get.ts';
import type apikeysGet from '../capabilities/admin/operations/admin/apikeys.get.ts';
import type apikeysPost from '../capabilities/admin/operations/admin/apikeys.post.ts';
import type clientDelete from '../capabilities/admin/operations/admin/client.delete.ts';
import type clientGet from '../capabilities/admin/operations/admin/client.get.ts';
import type clientsGet from '../capabilities/admin/operations/admin/clients.get.ts';
import type clientsPost from '../capabilities/admin/operations/admin/clients.post.ts';
import type countsGet from '../capabilities/admin/operations/admin/events/counts.get.ts';
import type streamGet from '../capabilities/admin/operations/admin/events/stream.get.ts';
import type eventsGet from '../capabilities/admin/operations/admin/events.get.ts';
import type lockoutDelete from '../capabilities/admin/operations/admin/lockout.delete.ts';
import type lockoutGet from '../capabilities/admin/operations/admin/lockout.get.ts';
import type lockoutsGet from '../capabilities/admin/operations/admin/lockouts.get.ts';
import type settingsGet from '../capabilities/admin/operations/admin/settings.get.ts';
import type statusGet from '../capabilities/admin/operations/admin/status.get.ts';
import type ticketsDelete from '../capabilities/admin/operations/admin/tickets.delete.ts';
import type ticketsGet from '../capabilities/admin/operations/admin/tickets.get.ts';
import type signinGet from '../capabilities/admin/operations/admin/users/signin.get.ts';
import type userTicketDelete from '../capabilities/admin/operations/admin/users/ticket.delete.ts';
import type userTicketsDelete from '../capabilities/admin/operations/admin/users/tickets.delete.ts';
import type userTicketsGet from '../capabilities/admin/operations/admin/users/tickets.get.ts';
import type appPasswordDelete from '../capabilities/factors/operations/admin/users/apppassword.delete.ts';
import type appPasswordsGet from '../capabilities/factors/operations/admin/users/apppasswords.get.ts';
import type appPasswordsPost from '../capabilities/factors/operations/admin/users/apppasswords.post.ts';
import type secondFactorDelete from '../capabilities/factors/operations/admin/users/secondfactor.delete.ts';
import type secondFactorGet from '../capabilities/factors/operations/admin/users/secondfactor.get.ts';
import type directoryCheck from '../capabilities/ldap/operations/admin/directory/check.post.ts';
import type invitationsPost from '../capabilities/mail/operations/admin/invitations.post.ts';
import type mailRetry from '../capabilities/mail/operations/admin/mail/retry.post.ts';
import type mailTest from '../capabilities/mail/operations/admin/mail/test.post.ts';
import type mailGet from '../capabilities/mail/operations/admin/mail.get.ts';
import type providersCheck from '../capabilities/oidc/operations/admin/providers/check.post.ts';
import type applicationDelete from '../capabilities/oidc-provider/operations/admin/application.delete.ts';
import type applicationGet from '../capabilities/oidc-provider/operations/admin/application.get.ts';
import type applicationPut from '../capabilities/oidc-provider/operations/admin/application.put.ts';
import type secretPost from '../capabilities/oidc-provider/operations/admin/applications/secret.post.ts';
import type applicationsGet from '../capabilities/oidc-provider/operations/admin/applications.get.ts';
import type signingKeysGet from '../capabilities/oidc-provider/operations/admin/signingkeys.get.ts';
import type signingKeysPost from '../capabilities/oidc-provider/operations/admin/signingkeys.post.ts';
import type groupDelete from '../capabilities/people/operations/admin/groups/group.delete.ts';
import type groupGet from '../capabilities/people/operations/admin/groups/group.get.ts';
import type groupPatch from '../capabilities/people/operations/admin/groups/group.patch.ts';
import type groupsGet from '../capabilities/people/operations/admin/groups/groups.get.ts';
import type groupsPost from '../capabilities/people/operations/admin/groups/groups.post.ts';
import type membergroupDelete from '../capabilities/people/operations/admin/groups/membergroup.delete.ts';
import type membergroupPut from '../capabilities/people/operations/admin/groups/membergroup.put.ts';
import type membersGet from '../capabilities/people/operations/admin/groups/members.get.ts';
import type memberuserDelete from '../capabilities/people/operations/admin/groups/memberuser.delete.ts';
import type memberuserPut from '../capabilities/people/operations/admin/groups/memberuser.put.ts';
import type passwordPut from '../capabilities/people/operations/admin/users/password.put.ts';
import type userDelete from '../capabilities/people/operations/admin/users/user.delete.ts';
import type userGet from '../capabilities/people/operations/admin/users/user.get.ts';
import type userPatch from '../capabilities/people/operations/admin/users/user.patch.ts';
import type usersGet from '../capabilities/people/operations/admin/users/users.get.ts';
import type usersPost from '../capabilities/people/operations/admin/users/users.post.ts';
import type gateExplanation from '../capabilities/proxy-gate/operations/admin/gate/explanation.get.ts';
import type webhooksReplay from '../capabilities/webhooks/operations/admin/webhooks/replay.post.ts';
import type webhooksGet from '../capabilities/webhooks/operations/admin/webhooks.get.ts';

/** The operations of administration. A test holds the list against the descriptors. */
type Descriptors =
  | typeof apikeyDelete
  | typeof apikeyGet
  | typeof apikeysGet
  | typeof apikeysPost
  | typeof applicationDelete
  | typeof applicationGet
  | typeof applicationPut
  | typeof applicationsGet
  | typeof signingKeysGet
  | typeof signingKeysPost
  | typeof secretPost
  | typeof clientDelete
  | typeof clientGet
  | typeof clientsGet
  | typeof clientsPost
  | typeof countsGet
  | typeof eventsGet
  | typeof groupDelete
  | typeof groupGet
  | typeof groupPatch
  | typeof groupsGet
  | typeof groupsPost
  | typeof membergroupDelete
  | typeof membergroupPut
  | typeof membersGet
  | typeof memberuserDelete
  | typeof memberuserPut
  | typeof lockoutDelete
  | typeof lockoutGet
  | typeof lockoutsGet
  | typeof settingsGet
  | typeof statusGet
  | typeof webhooksGet
  | typeof webhooksReplay
  | typeof gateExplanation
  | typeof directoryCheck
  | typeof providersCheck
  | typeof mailGet
  | typeof invitationsPost
  | typeof mailRetry
  | typeof mailTest
  | typeof ticketsDelete
  | typeof ticketsGet
  | typeof appPasswordDelete
  | typeof secondFactorDelete
  | typeof secondFactorGet
  | typeof appPasswordsGet
  | typeof appPasswordsPost
  | typeof passwordPut
  | typeof signinGet
  | typeof userTicketDelete
  | typeof userTicketsDelete
  | typeof userTicketsGet
  | typeof userDelete
  | typeof userGet
  | typeof userPatch
  | typeof usersGet
  | typeof usersPost;

/** The part of a descriptor that the types here read. No descriptor runs in the client. */
interface AdminDescriptor {
  readonly method: string;
  readonly paths: readonly string[];
  readonly input: { readonly path?: TObject; readonly query?: TObject; readonly body?: TObject };
  readonly output: { readonly schema: TSchema };
}

/** How an operation is named here: its method, and its path below `/api/admin`. */
type NameOf<D extends AdminDescriptor> = D['paths'][number] extends `/api/admin${infer Path}`
  ? `${D['method']} ${Path}`
  : never;

type PartOf<D extends AdminDescriptor, K extends 'path' | 'query' | 'body'> = K extends keyof D['input']
  ? D['input'][K] extends infer S extends TObject
    ? Static<S>
    : undefined
  : undefined;

/** The input and the answer of an operation. A part of the input that it does not have is undefined. */
interface CallTypes<D extends AdminDescriptor> {
  path: PartOf<D, 'path'>;
  query: PartOf<D, 'query'>;
  body: PartOf<D, 'body'>;
  answer: Static<D['output']['schema']>;
}

/** Every operation of administration by its name, such as `GET /users`. */
export type AdminOperations = { [D in Descriptors as NameOf<D>]: CallTypes<D> };

/** An event of the stream. */
export type AdminEvent = Static<(typeof streamGet)['output']['schema']>;

/** The filters of the stream. */
export type StreamFilter = Omit<PartOf<typeof streamGet, 'query'>, 'cursor'>;
