import type { ShowRefused, SignInButton } from '../../core/representations/representation.ts';
import { type Html, html } from './html.ts';
import { pageText, type Reader } from './layout.ts';
import { newPasswordAfter } from './new-password-view.ts';
import { changeForm, lineField } from './parts/form.ts';
import { notice } from './parts/notice.ts';
import { passkeyForm } from './parts/passkey-form.ts';
import { anyReader } from './reader.ts';
import { sentenceFor, withWait } from './refusal-page.ts';
import { otherOrigin, returnAddress } from './return-address.ts';

/** The values on the sign-in page. */
interface SignIn {
  /** The address to which the sign-in leads. */
  readonly back: string;
  readonly username?: string | undefined;
  /** The identity providers where people may sign in too. */
  readonly buttons: readonly SignInButton[];
  /** Whether users can sign in with passkeys in this browser. */
  readonly takesPasskeys: boolean;
  /** Whether it cannot because it reached the service by an IP address. */
  readonly lacksHostName?: boolean;
  /** What became of the sign-in before: the reader ended it, the browser still presents its ticket, or it is not enough for a page. */
  readonly before?: 'signedOut' | 'ended' | 'needsSecond' | 'needsPasskey' | 'needsFresh' | undefined;
  /** Whether an identity provider also asks a person who is signed in there. */
  readonly asksAnew?: boolean;
  /** Whether people who have forgotten their password can have a link sent. */
  readonly mailsLinks: boolean;
  /** Why the last attempt was refused. */
  readonly fault?: string;
}

/** The form for a sign-in with a passkey alone. */
const passkeyAlone = (reader: Reader, hidden: Readonly<Record<string, string>>) =>
  passkeyForm(reader, {
    does: 'get',
    action: '/portal/login/passkey',
    optionsUrl: '/portal/login/passkey-options',
    hidden,
    inField: true,
    isQuiet: true,
    submit: reader.say('signIn.passkey'),
  });

/** The page where people sign in. */
export function signInPage(
  reader: Reader,
  { back, username, buttons, takesPasskeys, lacksHostName, mailsLinks, asksAnew, before, fault }: SignIn,
): string {
  const { say } = reader;
  const title = say('signIn.title');
  const fields = [
    lineField(reader, {
      name: 'username',
      label: say('signIn.username'),
      autocomplete: 'username webauthn',
      value: username,
      isFocused: username === undefined,
    }),
    lineField(reader, {
      name: 'password',
      label: say('signIn.password'),
      type: 'password',
      autocomplete: 'current-password',
      isFocused: username !== undefined,
    }),
  ];
  const ofEachForm = { return: back, ...(asksAnew && { again: 'yes' }) };
  const hidden = {
    ...ofEachForm,
    ...(takesPasskeys && { passkeys: 'yes' }),
    ...(mailsLinks && { links: 'yes' }),
  };
  const form = changeForm(reader, {
    action: '/portal/login',
    hidden,
    fields,
    submit: say('signIn.submit'),
  });
  const body = html`<h1>${title}</h1>
${fault !== undefined && notice('bad', fault)}${before && notice(before === 'signedOut' ? 'good' : 'neutral', say(`signIn.${before}`))}
${form}${mailsLinks && html`<p class="hint"><a href="/portal/forgotten-password">${say('signIn.forgotten')}</a></p>`}${takesPasskeys && passkeyAlone(reader, hidden)}${lacksHostName && html`<section><p class="hint">${say('signIn.passkeyAtAddress')}</p></section>`}${buttons.length > 0 && providerForms(reader, ofEachForm, buttons)}`;
  return pageText(reader, { title, body, usesPasskeys: takesPasskeys });
}

/** One form for each identity provider. Each leads away from the page, so it is not within the form of the password. */
function providerForms(
  reader: Reader,
  hidden: Readonly<Record<string, string>>,
  buttons: readonly SignInButton[],
): Html {
  const { say } = reader;
  const forms = buttons.map(({ id, name }) =>
    changeForm(reader, {
      action: `/portal/sign-in-with/${id}`,
      hidden,
      isQuiet: true,
      submit: say('signIn.with', { name }),
    }),
  );
  return html`<div class="providers"><p>${say('signIn.or')}</p>${forms}</div>`;
}

/**
 * The sign-in page after a refused attempt. It never tells whether the name exists. If only a new password is missing, the page
 * that asks for it.
 */
export const refusedSignIn: ShowRefused = (refused) => {
  if (refused.refused === 'new_password_needed') return newPasswordAfter(refused);
  const reader = anyReader(refused);
  const back = returnAddress(refused.form.return, refused);
  const { signInButtons: buttons, form } = refused;
  const { username, passkeys, links, credential } = form;
  const isPasskeyRefused = credential !== undefined && refused.refused === 'login_failed';
  const fault = isPasskeyRefused
    ? withWait(reader, reader.say('passkey.refused'), refused.retryAfter)
    : sentenceFor(reader, refused);
  const text = signInPage(reader, {
    back,
    username,
    buttons,
    takesPasskeys: passkeys === 'yes',
    mailsLinks: links === 'yes',
    asksAnew: form.again === 'yes',
    fault,
  });
  return { text, formLeadsTo: otherOrigin(back) };
};
