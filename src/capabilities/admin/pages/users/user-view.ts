import type { RecordedEvent } from '../../../../core/domain/event.ts';
import type { Group } from '../../../../core/domain/group.ts';
import { displayNameOf, PROFILE_FIELDS } from '../../../../core/domain/profile.ts';
import { shortDigest } from '../../../../core/domain/ticket.ts';
import { addressWith, groupAddress, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { consolePage, doneNotice } from '../../../../faces/pages/console/layout.ts';
import type { ShownState } from '../../../../faces/pages/console/meanwhile.ts';
import {
  card,
  changeButton,
  dangerButton,
  isAdministrator,
  linkButton,
  mendButton,
} from '../../../../faces/pages/console/parts.ts';
import type { UserSections, UserShare } from '../../../../faces/pages/console/user-sections.ts';
import { type Html, type HtmlValue, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import type { PageSent } from '../../../../faces/pages/page.ts';
import { filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { facts, type TableColumn, table } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import { byCredential, programCells } from '../../../../faces/pages/program-name.ts';
import { inOrder, type Section } from '../../../../faces/pages/section.ts';
import { userState } from '../../../people/pages/console/user-state.ts';
import type { UserShown } from '../../../people/representations/admin/user.ts';
import type { SignInFinding } from '../../../people/rules/why-not-sign-in.ts';
import type { ListedTicket } from '../../representations/ticket.ts';
import { eventColumns } from '../events/rows.ts';
import { passOn } from './new-password.ts';
import { signInNotice } from './sign-in-view.ts';
import { lastSignIn, stateBadges } from './users-view.ts';

async function ticketColumns(
  reader: Reader,
  userName: string,
  tickets: readonly ListedTicket[],
): Promise<readonly TableColumn<ListedTicket>[]> {
  const { say } = reader;
  const programs = tickets.map(({ origin }) => origin?.program);
  const programCell = await programCells(reader, programs);
  const suspended = html` ${badge('warning', say('console.tickets.suspended'))}`;
  const endOf = (digest: string) => addressWith(`${userAddress(userName)}/end-ticket`, { of: digest });
  return [
    {
      heading: say('tickets.since'),
      cell: ({ ticket, state }) =>
        html`${shownTime(ticket.issuedAt, reader)}${state === 'suspended' && suspended}`,
    },
    { heading: say('tickets.lastUse'), cell: ({ ticket }) => shownTime(ticket.usedAt, reader) },
    { heading: say('tickets.address'), cell: ({ origin }) => origin?.from },
    {
      heading: say('tickets.program'),
      cell: ({ origin }) => html`${programCell(origin?.program)}${byCredential(reader, origin)}`,
    },
    {
      heading: say('console.tickets.digest'),
      cell: ({ ticket }) => html`<code>${shortDigest(ticket.digest)}</code>`,
    },
    {
      heading: say('console.change'),
      isPlain: true,
      cell: ({ ticket }) => dangerButton(endOf(shortDigest(ticket.digest)), say('tickets.end')),
    },
  ];
}

/** The rows of the page. */
const MOST = 20;

/** The live tickets of a user, those used last first, with what ends them. */
async function ticketsCard(
  reader: Reader,
  userName: string,
  tickets: readonly ListedTicket[],
): Promise<Html> {
  const { say } = reader;
  const latest = tickets.toSorted((one, other) => other.ticket.usedAt - one.ticket.usedAt).slice(0, MOST);
  const columns = await ticketColumns(reader, userName, latest);
  const list = table({
    caption: say('console.tickets'),
    columns,
    rows: latest,
    whenEmpty: say('console.users.noTickets'),
  });
  const address = addressWith('/portal/console/tickets', { user: userName });
  const all = tickets.length > MOST && linkButton(address, say('console.users.allTickets'));
  const endAll =
    tickets.length > 0 &&
    dangerButton(`${userAddress(userName)}/end-tickets`, say('console.users.end-tickets.submit'));
  return card(say('console.tickets'), list, html`<div class="actions">${all}${endAll}</div>`);
}

/** The groups whose names begin so, to join one. */
export interface GroupSearch {
  readonly group: string;
  readonly groups: readonly Group[];
}

/** The values on the page about a user. */
interface EverythingAboutUser {
  readonly view: UserShown;
  /** The live tickets. */
  readonly tickets: readonly ListedTicket[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The latest events, the newest first. */
  readonly events: readonly RecordedEvent[];
  readonly signIn: SignInFinding;
  readonly search: GroupSearch | undefined;
  /** The sections of capabilities, and what they show. */
  readonly sections: readonly UserSections[];
  readonly shares: readonly UserShare[];
  readonly done: string | undefined;
  /** The scheme and host by which the reader reached the service. */
  readonly origin: string;
}

const NOTICES = {
  added: 'console.users.done.added',
  changed: 'console.users.done.changed',
  password: 'console.users.done.password',
  disable: 'console.users.done.disable',
  enable: 'console.users.done.enable',
  lock: 'console.users.done.lock',
  unlock: 'console.users.done.unlock',
  'require-password': 'console.users.done.requirePassword',
  'keep-password': 'console.users.done.keepPassword',
  'end-ticket': 'console.users.done.endTicket',
  'end-tickets': 'console.users.done.endTickets',
  'join-group': 'console.users.done.joinGroup',
  'leave-group': 'console.users.done.leaveGroup',
} as const;

/** The buttons for changes, by the role of the reader and the state of the user. */
function actions(reader: Reader, view: UserShown, sections: readonly UserSections[]): Html {
  const { say } = reader;
  const { user, locked } = view;
  const state = userState(view);
  const at = (what: string) => `${userAddress(user.name)}/${what}`;
  const unlock = locked && changeButton(reader, at('unlock'), say('console.users.unlock'), state);
  if (!isAdministrator(reader)) return html`${unlock}`;
  return html`${linkButton(at('edit'), say('console.users.edit'))}
${user.provider === undefined && linkButton(at('password'), say('console.users.setPassword'))}
${user.passwordHash !== undefined && (user.mustChangePassword ? changeButton(reader, at('keep-password'), say('console.users.keepPassword'), state) : changeButton(reader, at('require-password'), say('console.users.requirePassword'), state))}
${sections.map((each) => each.actions(reader, user))}
${unlock || linkButton(at('lock'), say('console.users.lock.submit'))}
${user.disabled ? changeButton(reader, at('enable'), say('console.users.enable'), state) : dangerButton(at('disable'), say('console.users.disable.submit'))}
${dangerButton(at('remove'), say('console.users.remove.submit'))}`;
}

/** Who checks the password of a user, in words. */
const providerText = ({ say }: Reader, provider: string) =>
  provider === 'ldap' ? say('console.users.ofDirectory') : say('console.users.ofProvider', { provider });

function profileCard(
  reader: Reader,
  { user, profile, ownRole, role, since, ...view }: UserShown,
  { lastSuccess }: SignInFinding,
): Html {
  const { say } = reader;
  // The user's own time may be an hour old, and the notice above says the exact one.
  const lastLoginAt = Math.max(user.lastLoginAt, lastSuccess?.at ?? 0);
  const roleText = role && say(`role.${role}`);
  const rows = PROFILE_FIELDS.map((field) => [say(`profile.${field}`), profile[field]] as const);
  const state = html`${stateBadges(reader, { user, locked: view.locked })}`;
  const sinceText = since === undefined ? undefined : shownTime(since, reader);
  return card(
    say('console.users.profile'),
    facts([
      [say('console.users.name'), user.name],
      [say('console.users.provider'), user.provider && providerText(reader, user.provider)],
      [say('console.users.state'), html`${state}${sinceText && html` ${say('console.since')} ${sinceText}`}`],
      [
        say('console.users.role'),
        role !== undefined && role !== ownRole
          ? say('console.users.roleByGroup', { role: roleText ?? '' })
          : (roleText ?? say('role.none')),
      ],
      [say('console.users.lastSignIn'), lastSignIn(reader, { lastLoginAt })],
      [say('secondFactor.title'), user.hasSecondFactor ? say('console.users.hasSecondFactor') : undefined],
      ...rows,
    ]),
  );
}

type GroupRow = UserShown['groups'][number];

function groupsCard(reader: Reader, view: UserShown, search: GroupSearch | undefined): Html {
  const { say } = reader;
  const { user, groups } = view;
  const state = userState(view);
  const leave = `${userAddress(user.name)}/leave-group`;
  const columns = [
    {
      heading: say('console.groups.name'),
      cell: ({ name }: GroupRow) => html`<a href="${groupAddress(name)}">${name}</a>`,
    },
    { heading: say('console.groups.displayName'), cell: ({ displayName }: GroupRow) => displayName },
    { heading: say('console.groups.role'), cell: ({ role }: GroupRow) => role && say(`role.${role}`) },
    {
      heading: say('console.groups.membership'),
      isPlain: true,
      cell: ({ direct, name }: GroupRow) =>
        !direct
          ? say('console.groups.inherited')
          : isAdministrator(reader)
            ? changeButton(reader, leave, say('console.groups.leave'), state, name)
            : say('console.groups.direct'),
    },
  ];
  const whenEmpty = say('console.users.noGroups');
  const list = table({ caption: say('console.groups'), columns, rows: groups, whenEmpty });
  return card(
    say('console.groups'),
    html`${list}${isAdministrator(reader) && joinSearch(reader, view, search)}`,
  );
}

/** The search for a group to join. */
function joinSearch(reader: Reader, view: UserShown, search: GroupSearch | undefined): Html {
  const { say } = reader;
  const { name: userName } = view.user;
  const state = userState(view);
  const joined = new Set(view.groups.filter(({ direct }) => direct).map(({ id }) => id));
  const join = `${userAddress(userName)}/join-group`;
  const columns = [
    { heading: say('console.groups.name'), cell: ({ name }: Group) => name },
    { heading: say('console.groups.displayName'), cell: ({ displayName }: Group) => displayName },
    {
      heading: say('console.groups.membership'),
      isPlain: true,
      cell: ({ id, name }: Group) =>
        joined.has(id)
          ? say('console.groups.direct')
          : changeButton(reader, join, say('console.groups.join'), state, name),
    },
  ];
  const caption = say('console.groups.found');
  const found =
    search && table({ caption, columns, rows: search.groups, whenEmpty: say('console.groups.noneFound') });
  const field = lineField(reader, {
    name: 'group',
    type: 'search',
    label: say('console.users.findGroup'),
    isOptional: true,
    value: search?.group,
  });
  return html`${filterForm(reader, { action: userAddress(userName), fields: field, results: 'found', submit: say('console.search.submit') })}
<div id="found">${found}</div>`;
}

/** The button or link that mends the reason, if the reader may use it. */
function mendOf(reader: Reader, { reason, name }: SignInFinding, state: ShownState): HtmlValue {
  const { say } = reader;
  const at = (what: string) => `${userAddress(name)}/${what}`;
  switch (reason) {
    case 'locked':
    case 'locked-by-hand':
    case 'waiting':
    case 'network-waiting':
      return mendButton(reader, at('unlock'), say('console.users.unlock'), state);
    case 'address-waiting':
      return linkButton('/portal/console/lock-outs', say('console.lockOuts'));
    case 'tickets-full':
      return linkButton(at('end-tickets'), say('console.users.end-tickets.submit'));
    case 'disabled':
      return isAdministrator(reader) && mendButton(reader, at('enable'), say('console.users.enable'), state);
    case 'wrong-password':
    case 'password-changed':
    case 'without-password':
      return isAdministrator(reader) && linkButton(at('password'), say('console.users.setPassword'));
    default:
      return undefined;
  }
}

async function eventsCard(reader: Reader, name: string, events: readonly RecordedEvent[]): Promise<Html> {
  const { say } = reader;
  const list = table({
    caption: say('console.events'),
    rows: events,
    whenEmpty: say('console.users.noEvents'),
    columns: await eventColumns(reader, events, { isOfOneUser: true }),
  });
  const all = addressWith('/portal/console/events', { user: name });
  return card(say('console.events'), list, linkButton(all, say('console.users.allEvents')));
}

/** The page about one user. */
export async function userPage(reader: Reader, everything: EverythingAboutUser): Promise<PageSent> {
  const { view, signIn, tickets, events, search, sections, shares, done, now, origin } = everything;
  const { user, profile } = view;
  const origins = tickets.map(({ origin }) => origin);
  const cards: readonly Section[] = [
    { order: 10, html: profileCard(reader, view, signIn) },
    { order: 20, html: groupsCard(reader, view, search) },
    { order: 30, html: await ticketsCard(reader, user.name, tickets) },
    { order: 50, html: await eventsCard(reader, user.name, events) },
    ...shares.flatMap((share) => share(reader, { user, origins, now })),
  ];
  const isNew = done === 'added' && user.passwordHash !== undefined;
  const notices = Object.assign({}, NOTICES, ...sections.map((each) => each.notices));
  return consolePage(reader, {
    title: displayNameOf(user.name, profile),
    current: userAddress(user.name),
    up: { to: '/portal/console/users', text: reader.say('console.users') },
    usesHtmx: isAdministrator(reader),
    actions: actions(reader, view, sections),
    done: doneNotice(reader, done, notices),
    body: html`${isNew && html`<div class="card">${passOn(reader, user.name, { origin, mustChange: user.mustChangePassword })}</div>`}${signInNotice(reader, signIn, mendOf(reader, signIn, userState(view)))}
${inOrder(cards)}`,
  });
}
