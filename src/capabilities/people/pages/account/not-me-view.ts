import type { ShowRefused } from '../../../../core/representations/representation.ts';
import type { OtherCredential, OtherCredentials } from '../../../../faces/pages/account-sections.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { changeForm, faultSummary, tickField } from '../../../../faces/pages/parts/form.ts';
import { notice } from '../../../../faces/pages/parts/notice.ts';
import {
  formFaultOf,
  type PasswordFormFault,
  passwordFields,
} from '../../../../faces/pages/parts/password-form.ts';
import { refusalPage, refusedReader } from '../../../../faces/pages/refusal-page.ts';

export const NOT_ME = '/portal/account/not-me';

/** A credential in the form, and whether the user wants it removed. */
export interface TickedCredential {
  readonly credential: OtherCredential;
  readonly isTicked: boolean;
}

/** The values on the page about a sign-in that was somebody else's. */
interface NotMePage {
  readonly credentials: readonly TickedCredential[];
  /** What has the password: a directory or an identity provider; undefined if it changes here. */
  readonly provider?: string | undefined;
  /** The page where a provider has people change their passwords. */
  readonly passwordPage?: string | undefined;
  readonly fault?: PasswordFormFault | undefined;
}

const LISTED = 'credential-';
const TICKED = 'remove-';

/** The credentials that a form of the page lists, with its ticks. */
export function credentialsInForm(
  form: Readonly<Record<string, string>>,
  kinds: readonly OtherCredentials[],
): readonly TickedCredential[] {
  const named = (text: string) => {
    for (const kind of kinds) {
      const credential = kind.named(text);
      if (credential !== undefined) return credential;
    }
    return undefined;
  };
  return Object.entries(form).flatMap(([name, text]) => {
    const credential = name.startsWith(LISTED) ? named(text) : undefined;
    if (credential === undefined) return [];
    const isTicked = Object.hasOwn(form, TICKED + name.slice(LISTED.length));
    return [{ credential, isTicked }];
  });
}

function credentialFields(reader: Reader, credentials: readonly TickedCredential[]): Html {
  const { say } = reader;
  if (credentials.length === 0) return html`<p>${say('notMe.none')}</p>`;
  const ticks = credentials.map(
    ({ credential, isTicked }, at) =>
      html`<input type="hidden" name="${LISTED}${at}" value="${credential.text}">${tickField({
        name: `${TICKED}${at}`,
        label: credential.label(say),
        isTicked,
      })}`,
  );
  return html`<fieldset><legend>${say('notMe.alsoRemove')}</legend>
<p class="hint">${say('notMe.alsoRemoveHint')}</p>${ticks}</fieldset>`;
}

function passwordElsewhere({ say }: Reader, provider: string, passwordPage: string | undefined): Html {
  const where = provider === 'ldap' ? say('password.inDirectory') : say('password.atProvider', { provider });
  const link = passwordPage && html` <a href="${passwordPage}">${say('password.toPage')}</a>`;
  return html`<p>${where}${link}</p>`;
}

/** The page for a user who has found a sign-in that was somebody else's. */
export function notMePage(reader: Reader, view: NotMePage): string {
  const { credentials, provider, passwordPage, fault } = view;
  const { say } = reader;
  const title = say('history.notMe');
  const isHere = provider === undefined;
  const form = changeForm(reader, {
    action: NOT_ME,
    fields: html`${isHere ? passwordFields(reader, fault, { strengthUrl: '/portal/password-strength' }) : passwordElsewhere(reader, provider, passwordPage)}
${credentialFields(reader, credentials)}`,
    submit: say(isHere ? 'notMe.submit' : 'notMe.submitElsewhere'),
    isDangerous: true,
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
${fault && faultSummary([fault])}
${notice('warning', say(isHere ? 'notMe.intro' : 'notMe.introElsewhere'))}
${form}</div>`;
  return pageText(reader, { title, body, current: NOT_ME });
}

/** The page after a refused form, with the ticks as they were sent. */
export const refusedNotMe =
  (kinds: readonly OtherCredentials[]): ShowRefused =>
  (refused) => {
    const reader = refusedReader(refused);
    const fault = formFaultOf(reader, refused);
    if (fault === undefined) return refusalPage(refused);
    return { text: notMePage(reader, { credentials: credentialsInForm(refused.form, kinds), fault }) };
  };
