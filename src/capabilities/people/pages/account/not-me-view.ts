import type { ShowRefused } from '../../../../core/representations/representation.ts';
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
import type { OtherCredential } from '../../rules/other-credentials.ts';

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

/** A credential as the form names it. */
function textOf(credential: OtherCredential): string {
  switch (credential.kind) {
    case 'app-password':
      return `app-password ${credential.name}`;
    case 'passkey':
      return `passkey ${credential.credentialId.toString('base64url')} ${credential.name}`;
    case 'authenticator-app':
      return 'authenticator-app';
    case 'recovery-codes':
      return `recovery-codes ${credential.count}`;
  }
}

/** The credential that a form names so; undefined if it names none. */
function credentialIn(text: string): OtherCredential | undefined {
  const [, appPassword] = /^app-password (.+)$/.exec(text) ?? [];
  if (appPassword !== undefined) return { kind: 'app-password', name: appPassword };
  const [, id, name = ''] = /^passkey ([\w-]+) (.*)$/.exec(text) ?? [];
  if (id !== undefined) return { kind: 'passkey', name, credentialId: Buffer.from(id, 'base64url') };
  if (text === 'authenticator-app') return { kind: 'authenticator-app' };
  const [, count] = /^recovery-codes (\d{1,3})$/.exec(text) ?? [];
  return count === undefined ? undefined : { kind: 'recovery-codes', count: Number(count) };
}

/** The credentials that a form of the page lists, with its ticks. */
export function credentialsInForm(form: Readonly<Record<string, string>>): readonly TickedCredential[] {
  return Object.entries(form).flatMap(([name, text]) => {
    const credential = name.startsWith(LISTED) ? credentialIn(text) : undefined;
    if (credential === undefined) return [];
    const isTicked = Object.hasOwn(form, TICKED + name.slice(LISTED.length));
    return [{ credential, isTicked }];
  });
}

function labelOf({ say }: Reader, credential: OtherCredential): string {
  switch (credential.kind) {
    case 'app-password':
      return say('notMe.appPassword', { name: credential.name });
    case 'passkey':
      return say('notMe.passkey', { name: credential.name });
    case 'authenticator-app':
      return say('secondFactor.app');
    case 'recovery-codes':
      return say('notMe.recoveryCodes', { count: credential.count });
  }
}

function credentialFields(reader: Reader, credentials: readonly TickedCredential[]): Html {
  const { say } = reader;
  if (credentials.length === 0) return html`<p>${say('notMe.none')}</p>`;
  const ticks = credentials.map(
    ({ credential, isTicked }, at) =>
      html`<input type="hidden" name="${LISTED}${at}" value="${textOf(credential)}">${tickField({
        name: `${TICKED}${at}`,
        label: labelOf(reader, credential),
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
export function notMePage(reader: Reader, shown: NotMePage): string {
  const { credentials, provider, passwordPage, fault } = shown;
  const { say } = reader;
  const title = say('history.notMe');
  const isHere = provider === undefined;
  const form = changeForm(reader, {
    action: NOT_ME,
    fields: html`${isHere ? passwordFields(reader, fault, '/portal/password-strength') : passwordElsewhere(reader, provider, passwordPage)}
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
export const refusedNotMe: ShowRefused = (refused) => {
  const reader = refusedReader(refused);
  const fault = formFaultOf(reader, refused);
  if (fault === undefined) return refusalPage(refused);
  return { text: notMePage(reader, { credentials: credentialsInForm(refused.form), fault }) };
};
