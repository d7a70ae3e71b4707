import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { facts } from '../../../../faces/pages/parts/list.ts';
import type { SecondFactorsOfUser } from '../../rules/second-factors.ts';

/** The addresses of the changes of second factors. */
export const APP = '/portal/account/second-factor/app';
export const REMOVE_APP = '/portal/account/second-factor/remove-app';
export const RECOVERY_CODES = '/portal/account/second-factor/recovery-codes';
export const PASSKEYS = '/portal/account/passkeys';

/** The second factors of the user as the account page shows them. */
export interface ShownSecondFactors extends SecondFactorsOfUser {
  /** Whether sign-ins ask the user for a second factor. */
  readonly isAskedFor: boolean;
  /** Whether the user can register an app. */
  readonly takesApps: boolean;
  /** Whether the user can make passkeys in this browser. */
  readonly takesPasskeys: boolean;
  /** Whether that fails because the browser reached the service by an IP address. */
  readonly lacksHostName: boolean;
}

/** The section about second factors. */
export function secondFactorSection(
  reader: Reader,
  { appSince, passkeys, recoveryCodes, isAskedFor, takesApps, ...can }: ShownSecondFactors,
): Html {
  const { say } = reader;
  const hasApp = appSince !== undefined;
  const app = hasApp
    ? html`${say('secondFactor.appSince')} ${shownTime(appSince, reader)}`
    : say('secondFactor.none');
  const change =
    takesApps &&
    html`<a class="button quiet" href="${APP}">${say(hasApp ? 'secondFactor.replaceApp' : 'secondFactor.addApp')}</a>`;
  const remove =
    hasApp && html`<a class="button quiet" href="${REMOVE_APP}">${say('secondFactor.removeApp')}</a>`;
  const codes =
    isAskedFor && html`<a class="button quiet" href="${RECOVERY_CODES}">${say('secondFactor.newCodes')}</a>`;
  const listed =
    can.takesPasskeys && html`<a class="button quiet" href="${PASSKEYS}">${say('passkeys.title')}</a>`;
  return html`<section class="card" id="second-factor"><h2>${say('secondFactor.title')}</h2>
<p>${say(isAskedFor ? 'secondFactor.programs' : 'secondFactor.programsBefore')}</p>
${facts([
  [say('secondFactor.app'), app],
  [say('passkeys.title'), passkeys.map(({ name }) => name).join(', ') || say('secondFactor.none')],
  [
    say('secondFactor.recoveryCodes'),
    isAskedFor ? say('secondFactor.codesLeft', { count: recoveryCodes }) : undefined,
  ],
])}
${can.lacksHostName && html`<p class="hint">${say('passkeys.atAddress')}</p>`}
<div class="actions">${listed} ${change} ${codes} ${remove}</div></section>`;
}
