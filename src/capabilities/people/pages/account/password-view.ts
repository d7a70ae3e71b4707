import type { RefusedRequest, ShowRefused } from '../../../../core/representations/representation.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { refusalPage, refusedReader, sentenceFor } from '../../../../faces/pages/refusal-page.ts';

/** Why a form with an old and a new password was refused. */
export interface PasswordFormFault {
  /** The field that it is about. */
  readonly field?: 'oldPassword' | 'newPassword';
  readonly sentence: string;
}

/** Refusals that the form is shown with again, and the field that each is about. */
const FORM_FAULTS: Readonly<Record<string, PasswordFormFault['field']>> = {
  old_password_missing: 'oldPassword',
  old_password_wrong: 'oldPassword',
  new_password_missing: 'newPassword',
  new_password_refused: 'newPassword',
  passwords_unavailable: undefined,
  hash_queue_full: undefined,
};

/** The fault that the form is shown with again; undefined if the refusal is not about what was entered. */
export function formFaultOf(reader: Reader, refused: RefusedRequest): PasswordFormFault | undefined {
  if (!Object.hasOwn(FORM_FAULTS, refused.refused)) return undefined;
  const field = FORM_FAULTS[refused.refused];
  return { ...(field && { field }), sentence: sentenceFor(reader, refused) };
}

/** Tells password managers whose password the form changes. It is neither shown nor sent. */
const ownName = ({ user }: Reader) =>
  user && html`<input type="text" autocomplete="username" value="${user.name}" hidden>`;

/** The fields of a form with an old and a new password. Neither is ever filled in again. */
export function passwordFields(reader: Reader, fault: PasswordFormFault | undefined, strengthUrl?: string) {
  const { say } = reader;
  const faultOf = (field: PasswordFormFault['field']) =>
    fault?.field === field ? fault?.sentence : undefined;
  const old = lineField(reader, {
    name: 'oldPassword',
    label: say('password.old'),
    type: 'password',
    autocomplete: 'current-password',
    isFocused: fault === undefined,
    fault: faultOf('oldPassword'),
  });
  const fresh = lineField(reader, {
    name: 'newPassword',
    label: say('password.new'),
    type: 'password',
    autocomplete: 'new-password',
    hint: say('password.hint'),
    fault: faultOf('newPassword'),
    ...(strengthUrl !== undefined && { strengthUrl }),
  });
  return [ownName(reader), old, fresh];
}

/** The page where users change their password. */
export function passwordPage(reader: Reader, fault?: PasswordFormFault): string {
  const { say } = reader;
  const title = say('password.title');
  const form = changeForm(reader, {
    action: '/portal/account/password',
    fields: passwordFields(reader, fault, '/portal/password-strength'),
    submit: say('password.submit'),
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
${fault && faultSummary([fault])}
<p>${say('password.intro')}</p>
${form}</div>`;
  return pageText(reader, { title, body, current: '/portal/account/password' });
}

/** The page for a user whose password a directory or an identity provider has. `address`: where it is changed. */
export function passwordElsewherePage(reader: Reader, provider: string, address: string | undefined): string {
  const { say } = reader;
  const title = say('password.title');
  const where = provider === 'ldap' ? say('password.inDirectory') : say('password.atProvider', { provider });
  const link = address && html`<a class="button" href="${address}">${say('password.toPage')}</a>`;
  const body = html`<div class="card narrow"><h1>${title}</h1>
<p>${where}</p>
<p class="actions">${link}<a class="button quiet" href="/portal/account">${say('password.back')}</a></p></div>`;
  return pageText(reader, { title, body, current: '/portal/account/password' });
}

/** The page after a refused change. */
export const refusedPasswordChange: ShowRefused = (refused) => {
  const reader = refusedReader(refused);
  const fault = formFaultOf(reader, refused);
  return fault === undefined ? refusalPage(refused) : { text: passwordPage(reader, fault) };
};
