import { displayNameOf } from '../../../../core/domain/profile.ts';
import type { User } from '../../../../core/domain/user.ts';
import type { CountedPage } from '../../../../core/representations/admin/page.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { isAdministrator } from '../../../../faces/pages/console/parts.ts';
import { type Html, type HtmlValue, html } from '../../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../../faces/pages/layout.ts';
import type { PageSent } from '../../../../faces/pages/page.ts';
import { choiceField, filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { icon } from '../../../../faces/pages/parts/icons.ts';
import { pager, type TableColumn, table, totalRows } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import type { ListedUser } from '../../../people/representations/admin/user.ts';
import type { SignInFinding } from '../../../people/rules/why-not-sign-in.ts';
import { chooseBox, type PlaceInUsers, severalForm, USERS } from './several-view.ts';
import { signInNotice } from './sign-in-view.ts';

/** The choices to narrow the list. */
export const FILTERS = [
  'administrators',
  'disabled',
  'locked',
  'withoutSecondFactor',
  'neverSignedIn',
] as const;

/** The orders of the list, as the operation names them. */
export const SORTS = ['userName', '-userName', 'lastSignIn', '-lastSignIn'] as const;
type Sort = (typeof SORTS)[number];

const isSort = (text: string | undefined): text is Sort => SORTS.includes(text as Sort);

/** A search takes so many characters. A shorter text is what the user name begins with. */
const SEARCHED = 3;

/** The search and the order, as the list of administration takes them. */
export function filterOf({ find = '', only = '', sort }: PlaceInUsers): Record<string, string> {
  const filter = [...find].length < SEARCHED ? { prefix: find } : { search: find };
  const kept = FILTERS.includes(only as never) && { [only]: 'true' };
  return { ...filter, ...kept, sort: isSort(sort) ? sort : SORTS[0] };
}

/** The list of users, and what was asked for. */
interface ListOfUsers extends CountedPage<ListedUser> {
  readonly place: PlaceInUsers;
  readonly done: string | undefined;
  /** Why the name that was searched for cannot sign in, if there is no such user. */
  readonly signIn: SignInFinding | undefined;
}

/** The badges of what is not usual about a user. */
export function stateBadges({ say }: Reader, { user, locked }: Omit<ListedUser, 'profile'>): Html {
  return html`${user.disabled && badge('bad', say('console.users.disabled'))}
${locked && !user.disabled && badge('warning', say('console.users.locked'))}
${user.passwordHash === undefined && badge('warning', say('console.users.withoutPassword'))}
${user.mustChangePassword && badge('neutral', say('console.users.newPassword'))}
${user.administrator && badge('good', say('role.administrator'))}`;
}

/** The heading of a column leads to the list sorted by it, and from there to the opposite order. */
function sortOf(sort: Sort, { find, only, sort: now = SORTS[0] }: PlaceInUsers) {
  const opposite: Sort = sort.startsWith('-') ? SORTS[2] : `-${sort as 'userName'}`;
  const to = addressWith(USERS, { find, only, sort: now === sort ? opposite : sort });
  const direction = now.startsWith('-') ? 'descending' : 'ascending';
  return { to, now: now === sort || now === opposite ? direction : undefined } as const;
}

/** When the user last signed in. */
export const lastSignIn = (reader: Reader, { lastLoginAt }: Pick<User, 'lastLoginAt'>): HtmlValue =>
  lastLoginAt === 0 ? reader.say('console.users.neverSignedIn') : shownTime(lastLoginAt, reader);

function columnsOf(reader: Reader, place: PlaceInUsers): TableColumn<ListedUser>[] {
  const { say } = reader;
  return [
    {
      heading: say('console.users.name'),
      sort: sortOf('userName', place),
      cell: (listed: ListedUser) =>
        html`<span class="choose">${chooseBox(reader, listed)}<a href="${userAddress(listed.user.name)}">${listed.user.name}</a></span>`,
    },
    {
      heading: say('console.users.displayName'),
      cell: ({ user, profile }: ListedUser) => displayNameOf(user.name, profile),
    },
    { heading: say('profile.email'), cell: ({ profile }: ListedUser) => profile.email },
    {
      heading: say('console.users.state'),
      isPlain: true,
      cell: (listed: ListedUser) =>
        html`${stateBadges(reader, listed)} ${listed.user.hasSecondFactor && badge('neutral', say('secondFactor.title'))}`,
    },
    {
      heading: say('console.users.lastSignIn'),
      sort: sortOf('-lastSignIn', place),
      cell: ({ user }: ListedUser) => lastSignIn(reader, user),
    },
  ];
}

function results(reader: Reader, { place, items, next, total, signIn }: ListOfUsers): Html {
  const { say } = reader;
  const { cursor, before, ...filters } = place;
  const whenEmpty = say(place.find || place.only ? 'console.users.noneFound' : 'console.users.none');
  const columns = columnsOf(reader, place);
  const list = table({ caption: say('console.users'), columns, rows: items, whenEmpty });
  const tells = signIn !== undefined && signIn.reason !== 'unknown-name';
  return html`<div id="results">${tells && signInNotice(reader, signIn)}${totalRows(reader, total)}
${items.length > 0 ? severalForm(reader, list, place) : list}
${pager(reader, USERS, filters, { cursor, before, next })}
${items.length > 0 && downloadLinks(reader, 'users', filterOf(place))}</div>`;
}

/** The page that lists users. */
export function usersPage(reader: Reader, list: ListOfUsers): PageSent {
  const { say } = reader;
  const { place } = list;
  const choices = [
    { value: '', text: say('console.users.all') },
    ...FILTERS.map((value) => ({ value, text: say(`console.users.only.${value}`) })),
  ];
  const sorts = SORTS.map((value) => ({ value, text: say(`console.users.sort.${value}`) }));
  const fields = html`${lineField(reader, {
    name: 'find',
    type: 'search',
    label: say('console.users.find'),
    value: place.find,
    isOptional: true,
  })}${choiceField({ name: 'only', label: say('console.users.only'), choices, value: place.only })}
${choiceField({ name: 'sort', label: say('list.sort'), choices: sorts, value: place.sort })}`;
  return consolePage(reader, {
    title: say('console.users'),
    current: USERS,
    usesHtmx: true,
    actions:
      isAdministrator(reader) &&
      html`<a class="button quiet" href="/portal/console/invite-user">${say('invite.title')}</a>
<a class="button" href="/portal/console/add-user">${icon('add')}${say('console.users.add')}</a>`,
    done: doneNotice(reader, list.done, {
      removed: 'console.users.done.removed',
      several: 'console.several.done',
    }),
    body: html`${filterForm(reader, { action: USERS, fields, results: 'results' })}${results(reader, list)}`,
  });
}
