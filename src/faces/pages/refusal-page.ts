import { PROFILE_FIELDS, type ProfileField } from '../../core/domain/profile.ts';
import { messageOf, type Refusal, type RefusalCode } from '../../core/domain/refusal.ts';
import type { RefusedRequest, ShowRefused } from '../../core/representations/representation.ts';
import { html } from './html.ts';
import { pageText, type Reader } from './layout.ts';
import { sayPasswordFault } from './password-fault.ts';
import { anyReader } from './reader.ts';
import type { Say, TextKey } from './texts/texts.ts';

/**
 * The details of refusals that a form of a page can cause, as the rules write them for programs and terminals: each with its text,
 * whose placeholders are the groups of the pattern.
 */
const DETAILS: readonly (readonly [RegExp, TextKey])[] = [
  [/^a user name has 1 to (?<most>\d+) characters, none/, 'detail.userName'],
  [/^a user name holds no colon/, 'detail.userColon'],
  [/^ROLE_TICKET marks a ticket/, 'detail.roleTicket'],
  [/^a name that begins with TICKET_/, 'detail.beginsTicket'],
  [/^-me- stands for the caller/, 'detail.me'],
  [/^the name begins or ends with a blank/, 'detail.blank'],
  [/^no page can show a (?:user|group) .* called \. or \.\./, 'detail.dots'],
  [/^the name looks like that of the user "(?<name>.+)", which/, 'detail.userLookalike'],
  [/^the name looks like that of the group "(?<name>.+)", which/, 'detail.groupLookalike'],
  [/^there is a user "(?<name>.+)" already, and names/, 'detail.userTakenByCase'],
  [/^there is a user "(?<name>.+)" already:/, 'detail.userTaken'],
  [/^there is a group "(?<name>.+)" already, and case/, 'detail.groupTakenByCase'],
  [/^there is a group "(?<name>.+)" already:/, 'detail.groupTaken'],
  [/^there is no group "(?<name>.+)":/, 'detail.groupUnknown'],
  [/^the members of "(?<name>.+)" are computed/, 'detail.groupComputed'],
  [/^the name of a group has 1 to (?<most>\d+) characters/, 'detail.groupName'],
  [/^the name of a group has none of the characters (?<signs>.+):/, 'detail.groupSigns'],
  [/^the name of a group has one GROUP_ at most/, 'detail.groupPrefix'],
  [/^(?<name>GROUP_\w+) is computed from the users/, 'detail.groupReserved'],
  [
    /^"(?<member>.+)" cannot join "(?<group>.+)", which would then contain itself: (?<circle>.+)\. Take/,
    'detail.circle',
  ],
  [/^(?<field>\w+) has a control character:/, 'detail.fieldControl'],
  [/^(?<field>\w+) has (?<bytes>\d+) bytes: give at most (?<most>\d+)/, 'detail.fieldBytes'],
  [/^the name of a client has 1 to (?<most>\d+) characters/, 'detail.clientName'],
  [/^the name of an API key has 1 to (?<most>\d+) characters/, 'detail.apiKeyName'],
  [/^(?:expiresAt|this time) is over/, 'detail.timeOver'],
  [/^the name of an app password has 1 to (?<most>\d+) characters/, 'detail.appPasswordName'],
  [/^a name that begins with tap_/, 'detail.beginsTap'],
  [/^an address of an app password is/, 'detail.appPasswordAddress'],
  [/^an app password has (?<most>\d+) addresses at most/, 'detail.appPasswordAddresses'],
  [/^".+" has an app password "(?<name>.+)" already/, 'detail.appPasswordTaken'],
  [/^".+" has (?<most>\d+) app passwords, which is the most/, 'detail.appPasswordsMost'],
  [/^\w+: "(?<address>.*)" is no absolute/, 'detail.application.addressRelative'],
  [/^\w+: "(?<address>.*)" has white space/, 'detail.application.addressBlank'],
  [/^\w+: "(?<address>.*)" has a wildcard/, 'detail.application.addressWildcard'],
  [/^\w+: "(?<address>.*)" has a fragment/, 'detail.application.addressFragment'],
  [/^\w+: "(?<address>.*)" has a user name/, 'detail.application.addressUser'],
  [/^\w+: "(?<address>.*)" is http/, 'detail.application.addressPlain'],
  [/^\w+: "(?<address>.*)" has a scheme that browsers/, 'detail.application.addressScheme'],
  [/^\w+: "(?<address>.*)" has a scheme of its own/, 'detail.application.addressOwnScheme'],
  [/^redirectUris has no address/, 'detail.application.noRedirect'],
  [/^flows has refresh without/, 'detail.application.refreshAlone'],
  [/^flows has client_credentials/, 'detail.application.publicForItself'],
  [/^actsForUser is for a trusted/, 'detail.application.actsUntrusted'],
  [/^secondFactor is for people/, 'detail.application.factorWithoutBrowser'],
  [/^pairwise hangs on the host to/, 'detail.application.pairwiseFlow'],
  [/^pairwise hangs on the host of/, 'detail.application.pairwiseHosts'],
  [/^flows has more than code/, 'detail.application.documentFlows'],
  [/^\w+ hangs on the document/, 'detail.application.inDocument'],
  [/^the address of a document has up to (?<most>\d+)/, 'detail.application.documentAddress'],
  [/^jwks is for an application that/, 'detail.application.publicKeys'],
  [/^jwks has a key without kty/, 'detail.application.keyKind'],
  [/^jwks has a private key/, 'detail.application.keyPrivate'],
  [/^claims names "(?<name>.*)", which is none of (?<names>.+)/, 'detail.application.claimUnknown'],
  [/^claims gives the name "(?<name>.*)"/, 'detail.application.claimFixed'],
  [/^resources names the application "(?<name>.*)":/, 'detail.application.resourceName'],
  [/^accessTokenLifetime is at most (?<most>\d+) for jwt/, 'detail.application.lifetime'],
  [/^title has 1 to (?<most>\d+)/, 'detail.application.titleLong'],
  [/^search \(it takes (?<least>\d+) characters/, 'detail.searchShort'],
  [/^it needs auditor$/, 'role.auditor'],
  [/^it needs operator$/, 'role.operator'],
  [/^it needs administrator$/, 'role.administrator'],
];

const isField = (name: string): name is ProfileField => (PROFILE_FIELDS as readonly string[]).includes(name);

/** The detail of a refusal in the reader's language, if a form of a page can cause it; otherwise as it was written. */
export function detailText(say: Say, detail: string): string {
  for (const [pattern, key] of DETAILS) {
    const match = pattern.exec(detail);
    if (match === null) continue;
    const { field = '', ...values } = match.groups ?? {};
    return say(key, { ...values, field: fieldText(say, field) });
  }
  return detail;
}

const fieldText = (say: Say, field: string): string => {
  if (field === 'displayName') return say('console.groups.displayName');
  return isField(field) ? say(`profile.${field}`) : field;
};

/** Refusals that no page gives: they lead to the sign-in, or only programs get them. */
type NotOnPages =
  | 'authentication_needed'
  | 'ticket_needed'
  | 'admin_credential_needed'
  | 'token_missing'
  | 'client_secret_in_body'
  | 'client_unknown'
  | 'access_token_refused'
  | 'logout_token_refused'
  | 'tickets_of_two_users'
  | 'ticket_id_unknown'
  | 'ticket_not_presented'
  | 'login_by_get_off'
  | 'cross_site_login'
  | 'cross_site_change'
  | 'user_header_impossible'
  | 'step_up_needed'
  | 'gate_denied'
  | 'grouping_unknown'
  | 'skip_count_negative'
  | 'max_items_not_positive'
  | 'filter_invalid'
  | 'filter_too_wide'
  | 'path_invalid'
  | 'target_missing'
  | 'group_has_role'
  | 'user_has_role'
  | 'user_not_provisioned'
  | 'attribute_fixed'
  | 'not_ready'
  | 'probe_unknown';

/** The sentence for people about each refusal. */
const SENTENCES = {
  login_failed: 'refusal.loginFailed',
  codes_locked: 'refusal.codesLocked',
  username_missing: 'refusal.usernameMissing',
  password_missing: 'refusal.passwordMissing',
  password_too_long: 'refusal.passwordTooLong',
  passwords_unavailable: 'refusal.passwordsUnavailable',
  hash_queue_full: 'refusal.hashQueueFull',
  provider_not_found: 'refusal.providerNotFound',
  provider_unavailable: 'refusal.providerUnavailable',
  sign_in_declined: 'refusal.signInDeclined',
  sign_in_outdated: 'refusal.signInOutdated',
  sign_in_unproven: 'refusal.signInUnproven',
  clocks_differ: 'refusal.clocksDiffer',
  user_not_admitted: 'refusal.userNotAdmitted',
  name_of_another: 'refusal.nameOfAnother',
  form_of_another_site: 'refusal.formOfAnotherSite',
  form_outdated: 'refusal.formOutdated',
  cookie_impossible: 'refusal.cookieImpossible',
  ticket_not_found: 'refusal.ticketNotFound',
  app_password_not_found: 'refusal.appPasswordNotFound',
  role_needed: 'refusal.roleNeeded',
  path_unknown: 'refusal.pathUnknown',
  store_unavailable: 'refusal.storeUnavailable',
  old_password_missing: 'refusal.oldPasswordMissing',
  old_password_wrong: 'refusal.oldPasswordWrong',
  new_password_missing: 'refusal.newPasswordMissing',
  password_elsewhere: 'refusal.passwordElsewhere',
  password_of_another: 'refusal.passwordOfAnother',
  proof_needed: 'refusal.proofNeeded',
  user_not_found: 'refusal.userNotFound',
  group_not_found: 'refusal.groupNotFound',
  member_not_found: 'refusal.memberNotFound',
  name_taken: 'refusal.nameTaken',
  body_invalid: 'refusal.valueNotAllowed',
  group_circle: 'refusal.groupCircle',
  password_needed: 'refusal.passwordNeeded',
  last_administrator: 'refusal.lastAdministrator',
  body_unreadable: 'refusal.requestUnreadable',
  form_unreadable: 'refusal.requestUnreadable',
  argument_repeated: 'refusal.requestUnreadable',
  escape_broken: 'refusal.requestUnreadable',
  request_malformed: 'refusal.requestUnreadable',
  argument_invalid: 'refusal.addressInvalid',
  cursor_invalid: 'refusal.listOutdated',
  method_wrong: 'refusal.methodWrong',
  client_not_found: 'refusal.clientNotFound',
  client_taken: 'refusal.clientTaken',
  application_not_found: 'refusal.applicationNotFound',
  secret_impossible: 'refusal.secretImpossible',
  api_key_not_found: 'refusal.apiKeyNotFound',
  receiver_not_found: 'refusal.receiverNotFound',
  api_key_taken: 'refusal.apiKeyTaken',
  store_not_found: 'refusal.nodeNotFound',
  node_not_found: 'refusal.nodeNotFound',
  path_not_found: 'refusal.nodeNotFound',
  definition_not_found: 'refusal.definitionNotFound',
  constraint_not_found: 'refusal.constraintNotFound',
  nodes_unavailable: 'refusal.nodesUnavailable',
  changed_meanwhile: 'refusal.changedMeanwhile',
  host_not_served: 'refusal.hostNotServed',
  body_too_large: 'refusal.tooLarge',
  url_too_long: 'refusal.tooLarge',
  headers_too_large: 'refusal.tooLarge',
  request_too_slow: 'refusal.tooSlow',
  answers_unread: 'refusal.tooManyAnswers',
  streams_full: 'refusal.tooManyAnswers',
  new_password_needed: 'refusal.newPasswordNeeded',
  new_password_refused: 'refusal.newPasswordRefused',
  internal: 'refusal.internal',
  person_not_found: 'refusal.userNotFound',
  format_unknown: 'refusal.pathUnknown',
  formats_differ: 'refusal.pathUnknown',
} as const satisfies Readonly<Record<Exclude<RefusalCode, NotOnPages>, TextKey>>;

const isTold = (code: string): code is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, code);

/** The sentence for people about a refusal, and how long to wait if that is known. */
export function sentenceFor(
  reader: Reader,
  refusal: Pick<RefusedRequest, 'refused' | 'message' | 'detail' | 'passwordFault' | 'retryAfter'>,
): string {
  const { say } = reader;
  const { refused, message, detail = '', passwordFault, retryAfter } = refusal;
  const key = isTold(refused) ? SENTENCES[refused] : undefined;
  // The detail about an unknown user is a name, which may read like anything.
  const told = key === 'refusal.userNotFound' ? detail : detailText(say, detail);
  const sentence = key === undefined ? message : say(key, { detail: told });
  return withWait(reader, passwordFault ? sayPasswordFault(reader, passwordFault) : sentence, retryAfter);
}

/** The sentence about a refusal and, if that is known, how many seconds to wait. */
export function withWait({ say }: Reader, sentence: string, retryAfter: number | undefined): string {
  if (retryAfter === undefined) return sentence;
  const minutes = Math.ceil(retryAfter / 60);
  const wait =
    retryAfter < 90
      ? say('refusal.waitSeconds', { count: retryAfter })
      : say('refusal.waitMinutes', { count: minutes });
  return `${sentence} ${wait}`;
}

/** The sentence for people about a refusal that an operation or a rule returned. */
export const sentenceOf = (reader: Reader, refusal: Refusal): string =>
  sentenceFor(reader, {
    detail: undefined,
    passwordFault: undefined,
    retryAfter: undefined,
    ...refusal,
    message: messageOf(refusal),
  });

/** The reader of a page that is refused, or that shows a refused form again. */
export function refusedReader(refused: RefusedRequest): Reader {
  const { user: name, role, formToken } = refused;
  return { ...anyReader(refused), user: name === undefined ? undefined : { name, role }, formToken };
}

/** The page of a refusal without a page of its own. In the console it has the console's navigation. */
export const refusalPage: ShowRefused = (refused) => {
  const reader = refusedReader(refused);
  const { say } = reader;
  const usualTitle = refused.status === 404 ? 'refusal.notFound' : 'refusal.title';
  const title = say(refused.refused === 'role_needed' ? 'gate.title' : usualTitle);
  const body = html`<h1>${title}</h1>
<p>${sentenceFor(reader, refused)}</p>
<p><a href="/portal">${say('refusal.back')}</a></p>
<p class="small">${say('refusal.request', { id: refused.requestId })}</p>`;
  const current = refused.role && refused.path;
  return { text: pageText(reader, { title, body, ...(current && { current, wide: true }) }) };
};
