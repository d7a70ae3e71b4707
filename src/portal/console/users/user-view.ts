import type { CursorPage } from '../../../domain/cursor.ts';
import type { Group } from '../../../domain/group.ts';
import { displayNameOf, PROFILE_FIELDS } from '../../../domain/profile.ts';
import { suffices } from '../../../domain/role.ts';
import { shortDigest } from '../../../domain/ticket.ts';
import type { ListedTicket } from '../../../representations/admin/ticket.ts';
import type { UserShown } from '../../../representations/admin/user.ts';
import { type Html, type HtmlValue, html } from '../../html.ts';
import { type Reader, shownTime } from '../../layout.ts';
import type { PageSent } from '../../page.ts';
import { changeForm, filterForm, lineField } from '../../parts/form.ts';
import { facts, table } from '../../parts/list.ts';
import { badge, type Tone } from '../../parts/notice.ts';
import { addressWith, groupAddress, userAddress } from '../addresses.ts';
import { consolePage, doneNotice } from '../layout.ts';
import { stateBadges } from './users-view.ts';

/** What the page about a user shows. */
interface EverythingAboutUser {
  readonly shown: UserShown;
  readonly tickets: CursorPage<ListedTicket>;
  /** The groups that a search found, to join one. */
  readonly search: { readonly group: string; readonly groups: readonly Group[] } | undefined;
  readonly done: string | undefined;
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

const isAdministrator = ({ user }: Reader) => suffices(user?.role, 'administrator');

/** A button that changes at once. */
const now = (reader: Reader, action: string, submit: string, of?: string): Html =>
  changeForm(reader, { action, submit, isCompact: true, ...(of !== undefined && { hidden: { of } }) });

/** A link to a page that asks first, or to a form. */
const later = (to: string, text: string): Html =>
  html`<a class="button quiet compact" href="${to}">${text}</a>`;

/** What can be done with the user, by what it is now and by the reader's role. */
function actions(reader: Reader, { user, locked }: UserShown): Html {
  const { say } = reader;
  const at = (what: string) => `${userAddress(user.name)}/${what}`;
  const unlock = locked && now(reader, at('unlock'), say('console.users.unlock'));
  if (!isAdministrator(reader)) return html`${unlock}`;
  return html`${later(at('edit'), say('console.users.edit'))}
${later(at('password'), say('console.users.setPassword'))}
${user.passwordHash !== undefined && (user.mustChangePassword ? now(reader, at('keep-password'), say('console.users.keepPassword')) : now(reader, at('require-password'), say('console.users.requirePassword')))}
${unlock || later(at('lock'), say('console.users.lock.submit'))}
${user.disabled ? now(reader, at('enable'), say('console.users.enable')) : later(at('disable'), say('console.users.disable.submit'))}
${later(at('remove'), say('console.users.remove.submit'))}`;
}

const card = (title: string, body: HtmlValue, beside?: HtmlValue): Html =>
  html`<section class="card"><div class="head"><h2>${title}</h2>${beside}</div>${body}</section>`;

function profileCard(reader: Reader, { user, profile, ownRole, role, since, ...shown }: UserShown): Html {
  const { say } = reader;
  const roleText = role && say(`role.${role}`);
  const rows = PROFILE_FIELDS.map((field) => [say(`profile.${field}`), profile[field]] as const);
  const state = html`${stateBadges(reader, { user, locked: shown.locked })}`;
  const sinceText = since === undefined ? undefined : shownTime(since, reader);
  return card(
    say('console.users.profile'),
    facts([
      [say('console.users.name'), user.name],
      [say('console.users.state'), html`${state}${sinceText && html` ${say('console.since')} ${sinceText}`}`],
      [
        say('console.users.role'),
        role !== undefined && role !== ownRole
          ? say('console.users.roleByGroup', { role: roleText ?? '' })
          : (roleText ?? say('role.none')),
      ],
      ...rows,
    ]),
  );
}

type GroupRow = UserShown['groups'][number];

function groupsCard(
  reader: Reader,
  { user, groups }: UserShown,
  search: EverythingAboutUser['search'],
): Html {
  const { say } = reader;
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
      cell: ({ direct, name }: GroupRow) =>
        !direct
          ? say('console.groups.inherited')
          : isAdministrator(reader)
            ? now(reader, leave, say('console.groups.leave'), name)
            : say('console.groups.direct'),
    },
  ];
  const whenEmpty = say('console.users.noGroups');
  const list = table({ caption: say('console.groups'), columns, rows: groups, whenEmpty });
  return card(
    say('console.groups'),
    html`${list}${isAdministrator(reader) && joinSearch(reader, user.name, groups, search)}`,
  );
}

/** The search for a group to join. */
function joinSearch(
  reader: Reader,
  userName: string,
  own: readonly GroupRow[],
  search: EverythingAboutUser['search'],
): Html {
  const { say } = reader;
  const joined = new Set(own.filter(({ direct }) => direct).map(({ id }) => id));
  const join = `${userAddress(userName)}/join-group`;
  const columns = [
    { heading: say('console.groups.name'), cell: ({ name }: Group) => name },
    { heading: say('console.groups.displayName'), cell: ({ displayName }: Group) => displayName },
    {
      heading: say('console.groups.membership'),
      cell: ({ id, name }: Group) =>
        joined.has(id) ? say('console.groups.direct') : now(reader, join, say('console.groups.join'), name),
    },
  ];
  const caption = say('console.groups.found');
  const found =
    search && table({ caption, columns, rows: search.groups, whenEmpty: say('console.groups.noneFound') });
  const field = lineField(reader, {
    ...{ name: 'group', type: 'search', label: say('console.users.findGroup'), isOptional: true },
    value: search?.group,
  });
  return html`${filterForm(reader, { action: userAddress(userName), fields: field, results: 'found' })}
<div id="found">${found}</div>`;
}

const STATE_TONES: Readonly<Record<ListedTicket['state'], Tone>> = {
  valid: 'good',
  suspended: 'warning',
  expired: 'neutral',
  invalid: 'neutral',
};

function ticketsCard(reader: Reader, { user }: UserShown, { items, next }: CursorPage<ListedTicket>): Html {
  const { say } = reader;
  const at = (what: string) => `${userAddress(user.name)}/${what}`;
  const columns = [
    {
      heading: say('console.tickets.since'),
      cell: ({ ticket }: ListedTicket) => shownTime(ticket.issuedAt, reader),
    },
    {
      heading: say('console.tickets.used'),
      cell: ({ ticket }: ListedTicket) => shownTime(ticket.usedAt, reader),
    },
    {
      heading: say('console.tickets.state'),
      cell: ({ state }: ListedTicket) => badge(STATE_TONES[state], say(`console.tickets.state.${state}`)),
    },
    {
      heading: say('console.tickets.from'),
      cell: ({ origin }: ListedTicket) => origin?.from,
    },
    {
      heading: say('console.tickets.program'),
      cell: ({ origin }: ListedTicket) => origin?.program,
    },
    {
      heading: say('console.tickets.digest'),
      cell: ({ ticket }: ListedTicket) => html`<code>${shortDigest(ticket.digest)}</code>`,
    },
    {
      heading: say('console.tickets.end'),
      cell: ({ ticket }: ListedTicket) =>
        later(addressWith(at('end-ticket'), { of: shortDigest(ticket.digest) }), say('console.tickets.end')),
    },
  ];
  const list = table({
    caption: say('console.tickets'),
    columns,
    rows: items,
    whenEmpty: say('console.users.noTickets'),
  });
  const isMore = next !== undefined && html`<p class="hint">${say('console.users.moreTickets')}</p>`;
  const endAll = items.length > 0 && later(at('end-tickets'), say('console.users.end-tickets.submit'));
  return card(say('console.tickets'), html`${list}${isMore}`, endAll);
}

/** The page about one user. */
export function userPage(reader: Reader, { shown, tickets, search, done }: EverythingAboutUser): PageSent {
  const { user, profile } = shown;
  return consolePage(reader, {
    title: displayNameOf(user.name, profile),
    current: userAddress(user.name),
    up: { to: '/portal/console/users', text: reader.say('console.users') },
    usesHtmx: isAdministrator(reader),
    actions: actions(reader, shown),
    done: doneNotice(reader, done, NOTICES),
    body: html`${profileCard(reader, shown)}${groupsCard(reader, shown, search)}
${ticketsCard(reader, shown, tickets)}`,
  });
}
