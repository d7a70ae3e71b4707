import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import type { AppPasswordInUse } from '../../rules/app-passwords-in-use.ts';
import { appPasswordTable } from '../app-passwords/list-view.ts';

/** The page of the account, at its section about app passwords. */
export const OWN_APP_PASSWORDS = '/portal/account#app-passwords';
/** The pages that make an app password and remove one. */
export const ADD_APP_PASSWORD = '/portal/account/app-passwords/add';
export const REMOVE_APP_PASSWORD = '/portal/account/app-passwords/remove';

/** The section about the own app passwords. `now` is in epoch milliseconds. */
export function appPasswordsSection(
  reader: Reader,
  appPasswords: readonly AppPasswordInUse[],
  now: number,
): Html {
  const { say } = reader;
  const removal = (name: string) => `${REMOVE_APP_PASSWORD}?${new URLSearchParams({ name })}`;
  return html`<section id="app-passwords"><h2>${say('appPasswords.title')}</h2>
<p>${say('appPasswords.intro')}</p>
${appPasswordTable(reader, { appPasswords, now, removal })}
<p><a class="button quiet" href="${ADD_APP_PASSWORD}">${say('appPasswords.add')}</a></p></section>`;
}
