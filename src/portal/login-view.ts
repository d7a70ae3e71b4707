import type { ShowRefused } from '../representations/representation.ts';
import { html } from './html.ts';
import { pageText, type Reader } from './layout.ts';
import { newPasswordPage } from './new-password-view.ts';
import { changeForm, lineField } from './parts/form.ts';
import { notice } from './parts/notice.ts';
import { anyReader } from './reader.ts';
import { sentenceFor } from './refusal-page.ts';
import { otherOrigin, returnAddress } from './return-address.ts';

/** The values on the sign-in page. */
interface SignIn {
  /** The address to which the sign-in leads. */
  readonly back: string;
  readonly username?: string | undefined;
  /** Why the last attempt was refused. */
  readonly fault?: string;
}

/** The page where people sign in. */
export function signInPage(reader: Reader, { back, username, fault }: SignIn): string {
  const { say } = reader;
  const title = say('signIn.title');
  const fields = [
    lineField(reader, {
      ...{ name: 'username', label: say('signIn.username'), autocomplete: 'username' },
      ...{ value: username, isFocused: username === undefined },
    }),
    lineField(reader, {
      ...{ name: 'password', label: say('signIn.password'), type: 'password' },
      ...{ autocomplete: 'current-password', isFocused: username !== undefined },
    }),
  ];
  const form = changeForm(reader, {
    ...{ action: '/portal/login', hidden: { return: back }, fields, submit: say('signIn.submit') },
  });
  const body = html`<h1>${title}</h1>
${fault !== undefined && notice('bad', fault)}
${form}`;
  return pageText(reader, { title, body });
}

/**
 * The sign-in page after a refused attempt. It never tells whether the name exists. If only a new password is missing, the page
 * that asks for it.
 */
export const refusedSignIn: ShowRefused = (refused) => {
  if (refused.refused === 'new_password_needed') return newPasswordPage(refused);
  const reader = anyReader(refused);
  const back = returnAddress(refused.form.return, refused);
  const { username } = refused.form;
  const text = signInPage(reader, { back, username, fault: sentenceFor(reader, refused) });
  return { text, formLeadsTo: otherOrigin(back) };
};
