import type { RefusedRequest, ShowRefused } from '../representations/representation.ts';
import { formFaultOf, type PasswordFormFault, passwordFields } from './account/password-view.ts';
import { html } from './html.ts';
import { pageText } from './layout.ts';
import { changeForm, faultSummary } from './parts/form.ts';
import { anyReader } from './reader.ts';
import { refusalPage } from './refusal-page.ts';
import { otherOrigin, returnAddress } from './return-address.ts';

/** The page where a user chooses a new password instead of one that somebody else set, before the sign-in goes on. */
export function newPasswordPage(refused: RefusedRequest, fault?: PasswordFormFault) {
  const reader = anyReader(refused);
  const { say } = reader;
  const back = returnAddress(refused.form.return, refused);
  const { username = '' } = refused.form;
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

/** The page after a refused new password. */
export const refusedNewPassword: ShowRefused = (refused) => {
  const fault = formFaultOf(anyReader(refused), refused);
  return fault === undefined ? refusalPage(refused) : newPasswordPage(refused, fault);
};
