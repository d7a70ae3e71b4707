import type { ShowRefused } from '../../../../core/representations/representation.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { changeForm, faultSummary } from '../../../../faces/pages/parts/form.ts';
import {
  formFaultOf,
  type PasswordFormFault,
  passwordFields,
} from '../../../../faces/pages/parts/password-form.ts';
import { refusalPage, refusedReader } from '../../../../faces/pages/refusal-page.ts';

/** Where scripts learn how strong a password is, by the rules here. */
const STRENGTH = '/portal/password-strength';

/** The page where users change their password. `isElsewhere`: a directory has it, and decides about the new one. */
export function passwordPage(
  reader: Reader,
  { isElsewhere, fault }: { readonly isElsewhere: boolean; readonly fault?: PasswordFormFault },
): string {
  const { say } = reader;
  const title = say('password.title');
  const form = changeForm(reader, {
    action: '/portal/account/password',
    ...(isElsewhere && { hidden: { elsewhere: 'true' } }),
    fields: passwordFields(reader, fault, isElsewhere ? { isElsewhere } : { strengthUrl: STRENGTH }),
    submit: say('password.submit'),
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
${fault && faultSummary([fault])}
${isElsewhere && html`<p>${say('password.introDirectory')}</p>`}
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
  if (fault === undefined) return refusalPage(refused);
  return { text: passwordPage(reader, { isElsewhere: refused.form.elsewhere === 'true', fault }) };
};
