import { type Html, type HtmlValue, html } from '../html.ts';
import { type Reader, tokenField } from '../layout.ts';

/** A form that the answer of an authenticator is sent with. */
interface PasskeyForm {
  /** What the authenticator does: make a passkey, or prove that it has one. */
  readonly does: 'create' | 'get';
  /** The path to which browsers send the answer, as `credential`. */
  readonly action: string;
  /** Where the script asks what it needs for the authenticator. */
  readonly optionsUrl: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: HtmlValue;
  /** The text of the button. */
  readonly submit: string;
  /** Whether the browser offers passkeys in the field of the user name too (`autocomplete="username webauthn"`). */
  readonly inField?: boolean;
  /** Whether other buttons matter more. */
  readonly isQuiet?: boolean;
}

/**
 * A form for a passkey. It is shown by the script of passkeys, which the page has to load (`usesPasskeys`), where the browser
 * knows passkeys. In other browsers the page says why there is no button.
 */
export function passkeyForm(reader: Reader, form: PasskeyForm): Html {
  const { say } = reader;
  const { does, action, optionsUrl, hidden = {}, fields, submit, inField, isQuiet } = form;
  const values = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}" hidden data-passkey="${does}" data-options-url="${optionsUrl}"
 data-in-field="${inField && 'yes'}" data-cancelled="${say('passkey.cancelled')}" data-known="${say('passkey.known')}"
 data-failed="${say('passkey.failed')}">${tokenField(reader)}${values}<input type="hidden" name="credential">${fields}
<p class="fault" role="alert" hidden></p>
<div class="actions"><button class="${isQuiet && 'quiet'}">${submit}</button></div></form>
<p class="hint" data-without-passkeys hidden>${say('passkey.unknownToBrowser')}</p>
<noscript><p class="hint">${say('passkey.withoutScript')}</p></noscript>`;
}
