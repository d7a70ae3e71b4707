import { eventReasonText } from '../../../../faces/pages/event-texts.ts';
import { type Html, type HtmlValue, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { notice, type Tone } from '../../../../faces/pages/parts/notice.ts';
import type { Say, TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { SignInFinding, SignInReason } from '../../../people/rules/why-not-sign-in.ts';

/**
 * A text whose values may be markup, such as a time or a link. Numbers count: they choose the form of the text. Values that are
 * texts are escaped.
 */
function sayHtml(say: Say, key: TextKey, values: Readonly<Record<string, HtmlValue>>): Html {
  const markup = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'number' ? value : `{${name}}`] as const,
  );
  const parts = say(key, Object.fromEntries(markup)).split(/\{(\w+)\}/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : values[part]))}`;
}

const TEXTS = {
  'unknown-name': 'whyNot.unknownName',
  removed: 'whyNot.removed',
  'name-in-other-case': 'whyNot.nameInOtherCase',
  'old-server-decides': 'whyNot.oldServerDecides',
  'directory-decides': 'whyNot.directoryDecides',
  'disabled-by-provider': 'whyNot.disabledByProvider',
  'provider-off': 'whyNot.providerOff',
  'provider-silent': 'whyNot.providerSilent',
  disabled: 'whyNot.disabled',
  'locked-by-hand': 'whyNot.lockedByHand',
  locked: 'whyNot.locked',
  'tickets-full': 'whyNot.ticketsFull',
  'address-waiting': 'whyNot.addressWaiting',
  'network-waiting': 'whyNot.networkWaiting',
  waiting: 'whyNot.waiting',
  'app-password-needed': 'whyNot.appPasswordNeeded',
  'password-changed': 'whyNot.passwordChanged',
  'wrong-password': 'whyNot.wrongPassword',
  'refused-before': 'whyNot.refusedBefore',
  'new-password-required': 'whyNot.newPasswordRequired',
  'without-password': 'whyNot.withoutPassword',
  'never-signed-in': 'whyNot.neverSignedIn',
  'signed-in': 'whyNot.signedIn',
} as const satisfies Record<SignInReason, TextKey>;

/** Reasons that let the user in with the right password, though something is wrong. */
const DOUBTFUL: ReadonlySet<SignInReason> = new Set([
  ...(['address-waiting', 'network-waiting', 'waiting', 'password-changed', 'wrong-password'] as const),
  ...(['app-password-needed', 'refused-before', 'without-password'] as const),
]);

/** Reasons whose sentence does not say itself since when it is so, and who did it. */
const DATED: ReadonlySet<SignInReason> = new Set([
  'disabled',
  'disabled-by-provider',
  'locked-by-hand',
  'removed',
]);

/** Why the user can or cannot sign in, in one sentence. */
function sentence(reader: Reader, finding: SignInFinding): Html {
  const { say } = reader;
  const {
    reason,
    name,
    since,
    until,
    address,
    count = 0,
    by,
    otherName,
    refused,
    provider,
    providerReason,
  } = finding;
  const time = (at: number | undefined): HtmlValue =>
    at === undefined ? say('whyNot.unknownTime') : shownTime(at, reader);
  const latest = refused[0]?.reason;
  const told = sayHtml(say, TEXTS[reason], {
    name: html`<strong>${name}</strong>`,
    since: time(since),
    until: time(until),
    count,
    address: address ?? say('whyNot.unknownAddress'),
    by: by ?? name,
    otherName,
    provider: provider === 'ldap' ? say('whyNot.theDirectory') : provider,
    providerReason: providerReason && eventReasonText(say, { kind: 'user-disabled', reason: providerReason }),
    why: latest && eventReasonText(say, { kind: 'login-refused', reason: latest }),
  });
  if (!DATED.has(reason) || since === undefined) return told;
  const dated = by === undefined ? 'whyNot.since' : 'whyNot.sinceBy';
  return html`${told} ${sayHtml(say, dated, { since: time(since), by })}`;
}

function toneOf({ canSignIn, reason }: SignInFinding): Tone {
  if (!canSignIn) return 'bad';
  if (reason === 'never-signed-in') return 'neutral';
  return DOUBTFUL.has(reason) ? 'warning' : 'good';
}

/** The answer to "why can't this user sign in?", with what mends it. */
export const signInNotice = (reader: Reader, finding: SignInFinding, mend?: HtmlValue): Html =>
  notice(
    toneOf(finding),
    html`<p>${sentence(reader, finding)}</p>${mend && html`<div class="actions">${mend}</div>`}`,
  );
