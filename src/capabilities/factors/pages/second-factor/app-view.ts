import type { Html } from '../../../../faces/pages/html.ts';
import { html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { changeForm, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { copyText } from '../../../../faces/pages/parts/notice.ts';

/** Modules of white around the code (ISO/IEC 18004). */
const BORDER = 4;

/** The dark modules of a row, as parts of a path: one for each run. */
function runsOf(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const from = x;
    while (row[x + 1]) x += 1;
    path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
  }
  return path;
}

/** A QR code of this text, as a picture in the page. `label` is its text for screen readers. */
async function qrCode(text: string, label: string): Promise<Html> {
  const { encodeQR } = await import('qr');
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const size = rows.length;
  // Black on white in the dark scheme too, or cameras do not find it.
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${rows.map(runsOf).join('')}" fill="#000"/></svg>`;
}

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
    name: 'code',
    label: say('secondFactor.appCode'),
    hint: say('secondFactor.appCodeHint'),
    // Without the focus: what comes before it is read first, and a phone opens no keyboard above it.
    autocomplete: ONE_TIME_CODE,
    fault,
  });
  return html`${fault !== undefined && faultSummary([{ field: 'code', sentence: fault }])}
<p>${say('secondFactor.appIntro')}</p>
${await qrCode(key.uri, say('secondFactor.qrLabel'))}
<p class="on-touch"><a class="button quiet" href="${key.uri}">${say('secondFactor.appOpen')}</a></p>
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
${copyText(reader, codes.join('\n'), 'recovery-codes.txt')}
<p>${say('secondFactor.codesOnce')}</p>
<p><a class="button" href="${next}">${say('secondFactor.codesKept')}</a></p>`;
}
