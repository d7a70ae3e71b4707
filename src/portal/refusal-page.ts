import { messageOf, type Refusal } from '../domain/refusal.ts';
import type { RefusedRequest, ShowRefused } from '../representations/representation.ts';
import { html } from './html.ts';
import { pageText, type Reader } from './layout.ts';
import { sayPasswordFault } from './password-fault.ts';
import { anyReader } from './reader.ts';
import type { TextKey } from './texts/texts.ts';

/** Refusals with a sentence of their own for people; all others are shown with the sentence for programs. */
const SENTENCES = {
  login_failed: 'refusal.loginFailed',
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
  user_not_found: 'refusal.userNotFound',
  group_not_found: 'refusal.groupNotFound',
  name_taken: 'refusal.nameTaken',
  body_invalid: 'refusal.valueNotAllowed',
  group_circle: 'refusal.groupCircle',
  password_needed: 'refusal.passwordNeeded',
  last_administrator: 'refusal.lastAdministrator',
} as const satisfies Record<string, TextKey>;

const isTold = (code: string): code is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, code);

/** The sentence for people about a refusal, and how long to wait if that is known. */
export function sentenceFor(
  reader: Reader,
  refusal: Pick<RefusedRequest, 'refused' | 'message' | 'detail' | 'passwordFault' | 'retryAfter'>,
): string {
  const { say } = reader;
  const { refused, message, detail = '', passwordFault, retryAfter } = refusal;
  const known = isTold(refused) ? say(SENTENCES[refused], { detail }) : message;
  return withWait(reader, passwordFault ? sayPasswordFault(reader, passwordFault) : known, retryAfter);
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
    ...{ detail: undefined, passwordFault: undefined, retryAfter: undefined, ...refusal },
    message: messageOf(refusal),
  });

/** The reader of a page that shows a refused form again. */
export function refusedReader(refused: RefusedRequest): Reader {
  const { user: name, form } = refused;
  return {
    ...anyReader(refused),
    user: name === undefined ? undefined : { name },
    formToken: form.formToken,
  };
}

/** The page of a refusal without a page of its own. */
export const refusalPage: ShowRefused = (refused) => {
  const reader = anyReader(refused);
  const { say } = reader;
  const title = say('refusal.title');
  const body = html`<h1>${title}</h1>
<p>${sentenceFor(reader, refused)}</p>
<p><a href="/portal">${say('refusal.back')}</a></p>
<p class="small">${say('refusal.request', { id: refused.requestId })}</p>`;
  return { text: pageText(reader, { title, body }) };
};
