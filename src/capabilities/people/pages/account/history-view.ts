import { COMMAND_LINE } from '../../../../core/domain/event.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { badge, type Tone } from '../../../../faces/pages/parts/notice.ts';
import { programCells } from '../../../../faces/pages/program-name.ts';
import type { Say, TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { SignInEvent } from '../../rules/sign-in-history.ts';
import { NOT_ME } from './not-me-view.ts';

/** Why a try was refused, by the reason of its event. */
const REASONS = {
  'wrong-password': 'history.wrongPassword',
  disabled: 'history.disabled',
  locked: 'history.refusedLocked',
  'locked-by-hand': 'history.refusedLockedByHand',
  waiting: 'history.waiting',
  'network-waiting': 'history.networkWaiting',
  'address-waiting': 'history.addressWaiting',
  'wrong-code': 'history.wrongCode',
  'codes-waiting': 'history.codesWaiting',
  'code used before': 'history.codeUsed',
  'wrong-passkey': 'history.wrongPasskey',
  'passkey answered before': 'history.passkeyUsed',
  'passkey counts backwards': 'history.passkeyCopied',
  'passkey without a check of its user': 'history.passkeyUnverified',
  'passkey of a user of a provider': 'history.passkeyOfProvider',
  'second-factor-needed': 'history.secondFactorNeeded',
  'second-factor-required': 'history.secondFactorRequired',
  'changed meanwhile': 'history.changedMeanwhile',
  'unknown app password': 'history.appPasswordUnknown',
  'app password expired': 'history.appPasswordExpired',
  'address not allowed for app password': 'history.appPasswordAddress',
  'app password on a page': 'history.appPasswordOnPage',
  'too many live tickets': 'history.tooManyTickets',
  'too many tickets from this address': 'history.tooManyFromAddress',
} as const satisfies Record<string, TextKey>;

const isTold = (reason: string): reason is keyof typeof REASONS => Object.hasOwn(REASONS, reason);

/** Why, or how, in plain words. */
function detailOf({ kind, reason = '' }: SignInEvent): TextKey | undefined {
  if (kind === 'password-accepted') return 'history.passwordAccepted';
  if (kind === 'lock') return reason === '' ? 'history.lockedByHand' : 'history.lockedByFailures';
  return isTold(reason) ? REASONS[reason] : undefined;
}

/** The name of each kind of event. */
const HEADINGS = {
  login: ['good', 'history.signedIn'],
  'password-accepted': ['good', 'history.signedIn'],
  'login-refused': ['warning', 'history.refused'],
  lock: ['bad', 'history.locked'],
} as const satisfies Record<SignInEvent['kind'], readonly [Tone, TextKey]>;

function shownEvent(event: SignInEvent, say: Say): Html {
  const [tone, heading] = HEADINGS[event.kind];
  const detail = detailOf(event);
  const times =
    event.count > 1 && html` <span class="hint">${say('history.times', { count: event.count })}</span>`;
  return html`${badge(tone, say(heading))} ${detail && say(detail)}${times}`;
}

/** The section about the latest sign-ins and refused tries, with what to do about one that is not known. */
export async function historySection(reader: Reader, events: readonly SignInEvent[]): Promise<Html> {
  const { say } = reader;
  const programs = events.map(({ program }) => program);
  const programCell = await programCells(reader, programs);
  const columns: readonly TableColumn<SignInEvent>[] = [
    { heading: say('history.when'), cell: ({ at }) => shownTime(at, reader) },
    { heading: say('history.what'), cell: (event) => shownEvent(event, say) },
    {
      heading: say('history.address'),
      cell: ({ from }) => (from === COMMAND_LINE ? say('history.commandLine') : from),
    },
    { heading: say('tickets.program'), cell: ({ program }) => programCell(program) },
  ];
  const title = say('history.title');
  return html`<section id="history"><h2>${title}</h2>
${table({ caption: title, columns, rows: events, whenEmpty: say('history.empty') })}
<p>${say('history.notMeHint')} <a href="${NOT_ME}">${say('history.notMe')}</a></p></section>`;
}
