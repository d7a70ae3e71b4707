import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { changeForm, faultSummary, lineField } from '../parts/form.ts';
import { copyText } from '../parts/notice.ts';
import { qrCode } from './qr.ts';

/** The `autocomplete` of a field for codes: phones then fill in a code from a message. */
export const ONE_TIME_CODE = 'one-time-code';

/** An app to be registered. */
interface AppToRegister {
  /** The secret in groups, and the address of it for the app. */
  readonly key: { readonly text: string; readonly uri: string };
  /** The sealed secret, which the form sends back. */
  readonly sealed: string;
  readonly action: string;
  readonly cancel: string;
  /** Why the last code was refused. */
  readonly fault?: string | undefined;
}

/** The steps in which a user registers an authenticator app: scan the code or type the key, and enter a code of the app. */
export async function appForm(
  reader: Reader,
  { key, sealed, action, cancel, fault }: AppToRegister,
): Promise<Html> {
  const { say } = reader;
  const field = lineField(reader, {
    ...{ name: 'code', label: say('secondFactor.appCode'), hint: say('secondFactor.appCodeHint') },
    ...{ autocomplete: ONE_TIME_CODE, isFocused: fault === undefined, fault },
  });
  return html`${fault !== undefined && faultSummary([{ field: 'code', sentence: fault }])}
<p>${say('secondFactor.appIntro')}</p>
${await qrCode(key.uri, say('secondFactor.qrLabel'))}
<p>${say('secondFactor.appKey')}</p>
${copyText(reader, key.text)}
${changeForm(reader, { action, cancel, hidden: { sealed }, fields: field, submit: say('secondFactor.appSubmit') })}`;
}

/** The recovery codes of a user, to be shown once. */
export function recoveryCodesShown(
  reader: Reader,
  { codes, next }: { readonly codes: readonly string[]; readonly next: string },
): Html {
  const { say } = reader;
  return html`<p>${say('secondFactor.codesIntro')}</p>
${copyText(reader, codes.join('\n'))}
<p>${say('secondFactor.codesOnce')}</p>
<p><a class="button" href="${next}">${say('secondFactor.codesKept')}</a></p>`;
}
