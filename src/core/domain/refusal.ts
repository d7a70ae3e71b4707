import type { PasswordFault } from './password-fault.ts';
import type { Role } from './role.ts';

/**
 * All refusals that a caller can get, each with its sentence: a closed set. `core/http/status.ts` has the status of each, and an
 * operation declares the ones that it returns. `{}` in a sentence stands for what is wrong in the case.
 */
export const REFUSALS = {
  username_missing: 'Username not specified',
  password_missing: 'Password not specified',
  password_too_long: 'Password longer than 1024 bytes',
  body_unreadable: 'Unable to parse JSON POST body',
  form_unreadable: 'Unable to read the form in the body',
  token_missing: 'Parameter token not specified: send it in the body, as application/x-www-form-urlencoded',
  client_secret_in_body: 'A client sends its secret in Authorization (Basic), not in the body',
  login_failed: 'Login failed',
  codes_locked:
    'Codes of the app no longer count: give a recovery code or a passkey, or ask an administrator to unlock the user',
  login_by_get_off: 'Login by GET is switched off here (setting TESSERA_LOGIN_GET): use POST /api/login',
  cross_site_login: 'Cross-site login refused',
  cross_site_change:
    'Cross-site change refused: send it from a page of this host, or name the origin of the page in TESSERA_ALLOWED_ORIGINS',
  form_of_another_site: 'A form of another site is not accepted: open the page here and send its form',
  form_outdated: 'The form belongs to another sign-in: open the page again and send its form',
  cookie_impossible:
    'Over plain HTTP a browser keeps no ticket, since others could read it: open this page with https, or on the machine itself; a proxy that speaks TLS sends X-Forwarded-Proto and is named in TESSERA_TRUSTED_PROXIES',
  new_password_needed: 'The password has to change before the sign-in: choose a new one',
  provider_not_found: 'No identity provider of this name signs people in here',
  provider_unavailable: 'The identity provider cannot answer now: try again shortly',
  sign_in_declined: 'The identity provider did not sign you in',
  sign_in_outdated:
    'This sign-in was begun in another browser or too long ago: begin it again on the sign-in page',
  sign_in_unproven:
    'The answer of the identity provider does not prove who you are: begin again on the sign-in page',
  clocks_differ:
    'The clocks of the identity provider and of this service differ: an administrator has to set them',
  logout_token_refused: 'Logout token refused',
  user_not_admitted: 'The identity provider knows you, but you cannot sign in here',
  name_of_another: 'Another account here has your user name: an administrator has to decide whose it is',
  passwords_unavailable: 'Passwords cannot be checked now: try again shortly',
  hash_queue_full: 'Too many logins are waiting: try again shortly',
  ticket_not_found: 'Ticket not found',
  ticket_id_unknown: 'The only ticket that can be named here is -me-, the presented one',
  ticket_not_presented: 'Ticket base authentication required.',
  old_password_missing: "Old password 'oldpw' is a required POST parameter.",
  new_password_missing: "New password 'newpw' is a required POST parameter.",
  old_password_wrong: 'The old password is wrong',
  new_password_refused: 'New password refused',
  password_elsewhere: 'The password of this user is not kept here',
  password_of_another: 'Only an administrator may change this password',
  proof_needed:
    'A user with a second factor changes this on the account page, after a sign-in with that factor',
  user_not_found: 'The user {} could not be found',
  person_not_found: 'Person {} does not exist',
  store_not_found: 'Store not found',
  node_not_found: 'Node not found',
  path_not_found: 'Path not found',
  definition_not_found: 'Action definition not found',
  constraint_not_found: 'Action parameter constraint not found',
  probe_unknown: 'Bad probe name',
  not_ready: 'readyProbe: Failure - {}',
  grouping_unknown: 'The index is grouped by family, lifecycle or uri: ask for one of these',
  client_not_found: 'Client not found',
  client_taken:
    'A client has this name already: choose another name, or for a new secret remove that client first',
  application_not_found: 'Application not found',
  secret_impossible: 'This application has no secret: it is public, or proves itself by its keys',
  receiver_not_found: 'Receiver not found',
  group_not_found: 'Group not found',
  member_not_found: 'Member not found',
  name_taken: 'Name taken',
  group_circle: 'A group never contains itself',
  password_needed: 'Password needed',
  last_administrator: 'Last administrator',
  api_key_not_found: 'API key not found',
  api_key_taken: 'An API key has this name already: choose another name, or remove that key first',
  app_password_not_found: 'App password not found',
  nodes_unavailable: 'The content repository cannot answer now: try again shortly',
  authentication_needed: 'Authentication required: present a live ticket, or a user name and password',
  access_token_refused: 'Access token refused',
  ticket_needed: 'Authentication required: present a live ticket',
  user_header_impossible:
    'This user name cannot be passed on in a header (setting TESSERA_GATE_USER_HEADER): it begins or ends with white space, or holds a control character',
  step_up_needed: 'The gate does not let this sign-in through',
  gate_denied: 'The gate does not let this request through',
  client_unknown:
    'Client authentication required: present the name and secret of a registered client (Basic)',
  admin_credential_needed:
    'Authentication required: present a live ticket, or an API key, in the header Authorization (scheme Bearer)',
  role_needed: 'This needs a role that the caller does not have',
  tickets_of_two_users: 'Argument alf_ticket names live tickets of two users: give one',
  path_unknown: 'No operation answers at this path',
  method_wrong: 'This path does not take this method',
  format_unknown: 'Format not offered',
  formats_differ: 'The extension and the argument format name two formats: give one',
  argument_invalid: 'Argument not understood',
  skip_count_negative: 'Negative values not supported for skipCount.',
  max_items_not_positive: 'Only positive values supported for maxItems.',
  argument_repeated: 'Argument given twice with different values',
  cursor_invalid: 'This is no cursor of this list: begin without one, or send the "next" of the page before',
  body_invalid: 'A value in the body is not allowed',
  filter_invalid: 'The filter cannot be read',
  filter_too_wide: 'The filter leaves too many to look through',
  path_invalid: 'The path of a PATCH operation cannot be read',
  target_missing: 'A PATCH operation that removes something needs a path',
  group_has_role: 'SCIM changes no group whose members have a role',
  user_has_role: 'SCIM changes no user with a role',
  user_not_provisioned: 'SCIM changes only users of the provider that it is set up for',
  attribute_fixed: 'A PATCH operation changes what cannot be changed so',
  changed_meanwhile:
    'It has changed since its ETag was read: get it again, and send the new ETag as If-Match',
  escape_broken: 'Broken percent escape: write a percent sign as %25, and characters as UTF-8',
  host_not_served:
    'This host is not served here: add it to TESSERA_HOSTS or, if a proxy passed it on, name the proxy in TESSERA_TRUSTED_PROXIES',
  request_malformed: 'The request cannot be read as HTTP',
  body_too_large: 'The request body is too large',
  url_too_long: 'The request URL is too long',
  headers_too_large: 'The request header fields are too large',
  request_too_slow: 'The request did not arrive in time',
  answers_unread: 'Too many long answers to this address have not been read yet: read them, then try again',
  streams_full: 'Too many streams are open here: close one, or try again shortly',
  store_unavailable: 'The store cannot answer now: try again shortly',
  internal: 'Internal error',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** An answer that refuses a request. What the operation wrote before is committed. Faults are thrown instead. */
export interface Refusal<C extends RefusalCode = RefusalCode> {
  readonly refused: C;
  /** What is wrong in this case. Shown to the caller, so it never contains a secret. */
  readonly detail?: string;
  /** Of a new password: the same as `detail`, for pages that say it in the reader's language. */
  readonly passwordFault?: PasswordFault;
  /** The groups whose members would not be refused. */
  readonly groups?: readonly string[];
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number;
  /** The true reason, for the events and the log only. */
  readonly reason?: string;
  /** The user's name, for the events and the log only; masked if there is no such user. */
  readonly user?: string;
  /** The role of the signed-in user whom a page refuses: it shows its navigation by it. */
  readonly role?: Role;
}

/** Makes a refusal with this code. */
export function refuse<C extends RefusalCode>(refused: C, more: Omit<Refusal, 'refused'> = {}): Refusal<C> {
  return { refused, ...more };
}

/** Refuses a body because of `why`, which the log shows too: it must not contain a part of the body. */
export function bodyUnreadable(why: string): Refusal<'body_unreadable'> {
  return refuse('body_unreadable', { detail: why, reason: why });
}

/** Whether a result is a refusal. */
export function isRefusal(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'refused' in result;
}

/** The sentence that the caller reads. */
export function messageOf({ refused, detail }: Refusal): string {
  const sentence = REFUSALS[refused];
  if (sentence.includes('{}')) return sentence.replace('{}', () => detail ?? '');
  return detail === undefined ? sentence : `${sentence}: ${detail}`;
}
