import type { ShowRefused, SignInButton } from '../../../../core/representations/representation.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader } from '../../../../faces/pages/layout.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { PROVE } from '../../../../faces/pages/proof.ts';
import { refusalPage, refusedReader, sentenceFor } from '../../../../faces/pages/refusal-page.ts';
import { ownAddress } from '../../../../faces/pages/return-address.ts';

/** The values on the page where users prove again who they are. */
interface ProvePage {
  /** The page of the account that needs the proof. */
  readonly back: string;
  /** Why the last password was refused. */
  readonly fault?: string;
}

/** The page where users enter their password again. */
export function provePage(reader: Reader, { back, fault }: ProvePage): string {
  const { say, user } = reader;
  const title = say('prove.title');
  const fields = [
    // Tells password managers whose password is asked for. It is neither shown nor sent.
    user && html`<input type="text" autocomplete="username" value="${user.name}" hidden>`,
    lineField(reader, {
      name: 'password',
      label: say('prove.password'),
      type: 'password',
      isFocused: fault === undefined,
      autocomplete: 'current-password',
      fault,
    }),
  ];
  const form = changeForm(reader, {
    action: PROVE,
    hidden: { return: back },
    fields,
    submit: say('prove.submit'),
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
${fault !== undefined && faultSummary([{ field: 'password', sentence: fault }])}
<p>${say('prove.intro')}</p>
${form}</div>`;
  return pageText(reader, { title, body, current: PROVE });
}

/** The page where users sign in again at their identity provider. The new ticket is the proof. */
export function proveAtProviderPage(
  reader: Reader,
  { back, provider: { id, name } }: { readonly back: string; readonly provider: SignInButton },
): string {
  const { say } = reader;
  const title = say('prove.title');
  const form = changeForm(reader, {
    action: `/portal/sign-in-with/${id}`,
    hidden: { return: back, again: 'yes' },
    submit: say('signIn.with', { name }),
    cancel: '/portal/account',
  });
  const body = html`<div class="card narrow"><h1>${title}</h1>
<p>${say('prove.atProvider', { name })}</p>
${form}</div>`;
  return pageText(reader, { title, body, current: PROVE });
}

/** Refusals that the form is shown with again. */
const FORM_FAULTS: readonly string[] = [
  ...['password_missing', 'password_too_long', 'old_password_wrong'],
  ...['passwords_unavailable', 'hash_queue_full'],
];

/** The page after a refused password. */
export const refusedProof: ShowRefused = (refused) => {
  if (!FORM_FAULTS.includes(refused.refused)) return refusalPage(refused);
  const reader = refusedReader(refused);
  const back = ownAddress(refused.form.return, refused);
  return { text: provePage(reader, { back, fault: sentenceFor(reader, refused) }) };
};
