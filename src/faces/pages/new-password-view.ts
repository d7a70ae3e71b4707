import type { RefusedRequest, ShowRefused } from '../../core/representations/representation.ts';
import { html } from './html.ts';
import { pageText, type Reader } from './layout.ts';
import type { PageSent } from './page.ts';
import { changeForm, faultSummary } from './parts/form.ts';
import { formFaultOf, type PasswordFormFault, passwordFields } from './parts/password-form.ts';
import { anyReader } from './reader.ts';
import { refusalPage } from './refusal-page.ts';
import { otherOrigin, returnAddress } from './return-address.ts';

/** The page where a user chooses a new password instead of one that somebody else set, before the sign-in goes on. */
export function newPasswordPage(
  reader: Reader,
  {
    username,
    back,
    fault,
  }: { readonly username: string; readonly back: string; readonly fault?: PasswordFormFault },
): PageSent {
  const { say } = reader;
  const title = say('firstPassword.title');
  const form = changeForm(reader, {
    action: '/portal/new-password',
    hidden: { username, return: back },
    fields: passwordFields(reader, fault),
    submit: say('firstPassword.submit'),
  });
  const body = html`<h1>${title}</h1>
${fault && faultSummary([fault])}
<p>${say('firstPassword.intro', { name: username })}</p>
${form}`;
  return { text: pageText(reader, { title, body }), formLeadsTo: otherOrigin(back) };
}

/** The page that asks for a new password after a sign-in, or after a new password, that was refused so. */
export function newPasswordAfter(refused: RefusedRequest, fault?: PasswordFormFault): PageSent {
  const { username = '', return: returnTo } = refused.form;
  const back = returnAddress(returnTo, refused);
  return newPasswordPage(anyReader(refused), { username, back, ...(fault && { fault }) });
}

/** The page after a refused new password. */
export const refusedNewPassword: ShowRefused = (refused) => {
  const fault = formFaultOf(anyReader(refused), refused);
  return fault === undefined ? refusalPage(refused) : newPasswordAfter(refused, fault);
};
