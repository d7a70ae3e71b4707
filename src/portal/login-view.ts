import type { ShowRefused } from '../representations/representation.ts';
import { type Html, html } from './html.ts';
import { pageText, type Reader } from './layout.ts';
import { anyReader } from './reader.ts';
import { sentenceFor } from './refusal-page.ts';
import { otherOrigin, returnAddress } from './return-address.ts';

/** What the sign-in page shows. */
interface SignIn {
  /** Where the sign-in leads. */
  readonly back: string;
  readonly username?: string | undefined;
  /** Why the last attempt was refused. */
  readonly fault?: string;
}

const faultNotice = (fault: string | undefined): Html | undefined =>
  fault === undefined ? undefined : html`<p class="notice bad" role="alert" id="fault">${fault}</p>`;

/** The page where people sign in. */
export function signInPage(reader: Reader, { back, username, fault }: SignIn): string {
  const { say } = reader;
  const title = say('signIn.title');
  const describedBy = fault === undefined ? undefined : 'fault';
  const body = html`<h1>${title}</h1>
${faultNotice(fault)}
<form method="post" action="/portal/login" class="stack">
<input type="hidden" name="return" value="${back}">
<label>${say('signIn.username')}<input name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus="${username === undefined}" aria-describedby="${describedBy}"></label>
<label>${say('signIn.password')}<input name="password" type="password" autocomplete="current-password" required autofocus="${username !== undefined}" aria-describedby="${describedBy}"></label>
<button>${say('signIn.submit')}</button>
</form>`;
  return pageText(reader, { title, body });
}

/** The sign-in page after a refused attempt. It never tells whether the name exists. */
export const refusedSignIn: ShowRefused = (refused) => {
  const reader = anyReader(refused);
  const back = returnAddress(refused.form.return, refused);
  const { username } = refused.form;
  const text = signInPage(reader, { back, username, fault: sentenceFor(reader, refused) });
  return { text, formLeadsTo: otherOrigin(back) };
};
