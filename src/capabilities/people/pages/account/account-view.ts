import { COMMAND_LINE } from '../../../../core/domain/event.ts';
import type { GroupOfUser } from '../../../../core/domain/group.ts';
import { displayNameOf, type Profile } from '../../../../core/domain/profile.ts';
import type { AccountShare, ServiceLink } from '../../../../faces/pages/account-sections.ts';
import { eventKindText, eventReasonText, PASSWORD_EXPIRES } from '../../../../faces/pages/event-texts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { pageText, type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import { facts, type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { badge, notice, type Tone } from '../../../../faces/pages/parts/notice.ts';
import { programCells } from '../../../../faces/pages/program-name.ts';
import { inOrder, type Section } from '../../../../faces/pages/section.ts';
import type { Say, TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { SignInEvent } from '../../rules/sign-in-history.ts';
import { NOT_ME } from './not-me-view.ts';
import { OWN_PROFILE } from './profile.ts';
import { type ShownTickets, ticketsSection } from './tickets-view.ts';

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

/** Why, or how, in plain words; of a change, what was changed, and who else did it. */
function detailOf(say: Say, event: SignInEvent): string | undefined {
  const { kind, reason = '', user, actor } = event;
  if (kind === 'password-accepted') return say('history.passwordAccepted');
  if (kind === 'lock') return say(reason === '' ? 'history.lockedByHand' : 'history.lockedByFailures');
  if (kind === 'login-refused') return isTold(reason) ? say(REASONS[reason]) : undefined;
  const by = actor !== undefined && actor !== user && say('console.events.by', { actor });
  return [eventReasonText(say, event), by].filter(Boolean).join(', ');
}

/** The name of each kind of try, from the view of the user. Changes are named as in all lists of events. */
const HEADINGS = {
  login: ['good', 'history.signedIn'],
  'password-accepted': ['good', 'history.signedIn'],
  'login-refused': ['warning', 'history.refused'],
  lock: ['bad', 'history.locked'],
} as const satisfies Partial<Record<SignInEvent['kind'], readonly [Tone, TextKey]>>;

const isTry = (kind: SignInEvent['kind']): kind is keyof typeof HEADINGS => Object.hasOwn(HEADINGS, kind);

function shownEvent(event: SignInEvent, say: Say): Html {
  const { kind, count } = event;
  const [tone, heading] = isTry(kind) ? HEADINGS[kind] : [];
  const times = count > 1 && html` <span class="hint">${say('history.times', { count })}</span>`;
  return html`${badge(tone ?? 'neutral', heading ? say(heading) : eventKindText(say, kind))} ${detailOf(say, event)}${times}`;
}

/** The section about the latest sign-ins, refused tries and changes, with what to do about one that is not known. */
async function historySection(reader: Reader, events: readonly SignInEvent[]): Promise<Html> {
  const { say } = reader;
  const programs = events.map(({ program }) => program);
  const programCell = await programCells(reader, programs);
  const columns: readonly TableColumn<SignInEvent>[] = [
    { heading: say('history.when'), cell: ({ at }) => shownTime(at, reader) },
    { heading: say('history.what'), isPlain: true, cell: (event) => shownEvent(event, say) },
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

/** The values on the account page. */
export interface OwnAccount {
  readonly userName: string;
  readonly profile: Profile;
  /** Whether the user may change the own profile. */
  readonly mayChange: boolean;
  readonly groups: readonly GroupOfUser[];
  readonly history: readonly SignInEvent[];
  readonly tickets: ShownTickets;
  /** What capabilities show. */
  readonly shares: readonly AccountShare[];
  /** The last change, as the address of the page names it. */
  readonly done: string | undefined;
}

/** The texts after a change. The address names one of these. */
const DONE: ReadonlyMap<string | undefined, TextKey> = new Map([
  ['password', 'account.donePassword'],
  ['ticket', 'account.doneTicket'],
  ['tickets', 'account.doneTickets'],
  ['not-me', 'account.donePassword'],
  ['not-me-elsewhere', 'account.doneTickets'],
  ['app-password', 'account.doneAppPassword'],
  ['application', 'account.doneApplication'],
  ['profile', 'account.doneProfile'],
  ['app-added', 'account.doneAppAdded'],
  ['app-removed', 'account.doneAppRemoved'],
]);

function profileSection({ say, user }: Reader, { userName, profile, groups, mayChange }: OwnAccount): Html {
  const name = displayNameOf(userName, profile);
  const role = user?.role;
  const names = groups.map(({ displayName }) => displayName).join(', ');
  return html`<section class="card">${facts([
    [say('account.username'), userName],
    [say('account.name'), name === userName ? undefined : name],
    [say('account.email'), profile.email],
    [say('account.groups'), names || undefined],
    [say('account.role'), role && say(`role.${role}`)],
  ])}<p class="actions"><a class="button quiet" href="/portal/account/password">${say('account.changePassword')}</a>
${mayChange && html`<a class="button quiet" href="${OWN_PROFILE}">${say('account.changeProfile')}</a>`}</p></section>`;
}

/** The services that the user may open, if anything opens services to people. */
function servicesSection({ say }: Reader, shares: readonly AccountShare[]): readonly Section[] {
  const all = shares.flatMap(({ services }) => services ?? []);
  if (shares.every(({ services }) => services === undefined)) return [];
  const picture = ({ title, logo }: ServiceLink) =>
    logo === undefined
      ? html`<span class="tile" aria-hidden="true">${String.fromCodePoint(title.codePointAt(0) ?? 0).toUpperCase()}</span>`
      : html`<img class="tile" src="${logo}" width="32" height="32" alt="">`;
  const list = table<ServiceLink>({
    caption: say('services.title'),
    columns: [
      {
        heading: say('services.name'),
        cell: (service) => html`${picture(service)}<a href="${service.address}">${service.title}</a>`,
      },
      { heading: say('services.host'), cell: ({ address }) => new URL(address).host },
    ],
    rows: all.toSorted((one, other) => one.title.localeCompare(other.title)),
    whenEmpty: say('services.empty'),
  });
  return [
    { order: 20, html: html`<section id="services"><h2>${say('services.title')}</h2>${list}</section>` },
  ];
}

/** Changes after which the reader may believe that every other sign-in has ended. */
const ENDS_SIGN_INS: ReadonlySet<string | undefined> = new Set([
  'password',
  'tickets',
  'not-me',
  'not-me-elsewhere',
]);

/** Says after such a change what still signs in as the user, and after "This was not me" also if nothing does. */
function stillSigningIn({ say }: Reader, { shares, done }: OwnAccount) {
  if (!ENDS_SIGN_INS.has(done)) return undefined;
  const names = shares.flatMap((share) => share.signingIn(say));
  if (names.length > 0) return notice('warning', say('account.stillSignIn', { names: names.join(', ') }));
  if (done !== 'not-me' && done !== 'not-me-elsewhere') return undefined;
  return html`<p>${say('account.nothingSignsIn')} ${shares.map((share) => share.staying(say))}</p>`;
}

/** Says when the password expires, if the directory said it at the latest sign-in with it, and there is no new one since. */
function passwordEnd(reader: Reader, { history }: OwnAccount) {
  const { reason = '' } =
    history.find(({ kind, reason }) =>
      kind === 'login' ? reason === undefined || PASSWORD_EXPIRES.test(reason) : kind === 'password-changed',
    ) ?? {};
  const [, end] = PASSWORD_EXPIRES.exec(reason) ?? [];
  if (end === undefined) return undefined;
  const { say } = reader;
  return notice(
    'warning',
    html`${say('account.passwordExpires')} ${shownTime(Date.parse(end), reader)} <a href="/portal/account/password">${say('account.changePassword')}</a>`,
  );
}

/** The account page. */
export async function accountPage(reader: Reader, account: OwnAccount): Promise<string> {
  const { say } = reader;
  const title = say('account.title');
  const done = DONE.get(account.done);
  const own: readonly Section[] = [
    { order: 10, html: profileSection(reader, account) },
    ...servicesSection(reader, account.shares),
    { order: 30, html: ticketsSection(reader, account.tickets) },
    { order: 50, html: await historySection(reader, account.history) },
  ];
  const body = html`<h1>${title}</h1>
${done && notice('good', say(done))}
${stillSigningIn(reader, account)}
${passwordEnd(reader, account)}
<p>${say('account.signedInAs', { name: account.userName })}</p>
${inOrder([...own, ...account.shares.flatMap((share) => share.sections(reader))])}`;
  return pageText(reader, { title, body, wide: true, current: '/portal/account' });
}
