import type { CursorPage } from '../../../../core/domain/cursor.ts';
import { displayNameOf } from '../../../../core/domain/profile.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { isAdministrator } from '../../../../faces/pages/console/parts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import type { PageSent } from '../../../../faces/pages/page.ts';
import { choiceField, filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { icon } from '../../../../faces/pages/parts/icons.ts';
import { pager, table } from '../../../../faces/pages/parts/list.ts';
import { badge } from '../../../../faces/pages/parts/notice.ts';
import type { ListedUser } from '../../../people/representations/admin/user.ts';
import type { SignInFinding } from '../../../people/rules/why-not-sign-in.ts';
import { chooseBox, severalForm, USERS } from './several-view.ts';
import { signInNotice } from './sign-in-view.ts';

/** The choices to narrow the list. */
export const FILTERS = ['administrators', 'disabled', 'locked'] as const;

/** A search takes so many characters. A shorter text is what the user name begins with. */
const SEARCHED = 3;

/** The search, as the list of administration takes it. */
export function filterOf({ find, only }: Pick<ListOfUsers, 'find' | 'only'>): Record<string, string> {
  const filter = [...find].length < SEARCHED ? { prefix: find } : { search: find };
  return { ...filter, ...(FILTERS.includes(only as never) && { [only]: 'true' }) };
}

/** The list of users, and what was asked for. */
interface ListOfUsers extends CursorPage<ListedUser> {
  readonly find: string;
  readonly only: string;
  readonly cursor: string;
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

function results(reader: Reader, listed: ListOfUsers): Html {
  const { say } = reader;
  const { find, only, cursor, items, next, signIn } = listed;
  const isFiltered = find !== '' || only !== '';
  const columns = [
    {
      heading: say('console.users.name'),
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
      cell: (listed: ListedUser) => stateBadges(reader, listed),
    },
    {
      heading: say('secondFactor.title'),
      cell: ({ user }: ListedUser) => user.hasSecondFactor && say('console.users.hasSecondFactor'),
    },
  ];
  const whenEmpty = say(isFiltered ? 'console.users.noneFound' : 'console.users.none');
  const page = {
    first: cursor && addressWith(USERS, { find, only }),
    next: next && addressWith(USERS, { find, only, cursor: next }),
  };
  const list = table({ caption: say('console.users'), columns, rows: items, whenEmpty });
  const tells = signIn !== undefined && signIn.reason !== 'unknown-name';
  return html`<div id="results">${tells && signInNotice(reader, signIn)}${items.length > 0 ? severalForm(reader, list) : list}
${pager(reader, { first: page.first || undefined, next: page.next })}
${items.length > 0 && downloadLinks(reader, 'users', filterOf(listed))}</div>`;
}

/** The page that lists users. */
export function usersPage(reader: Reader, list: ListOfUsers): PageSent {
  const { say } = reader;
  const choices = [
    { value: '', text: say('console.users.all') },
    ...FILTERS.map((value) => ({ value, text: say(`console.users.only.${value}`) })),
  ];
  const fields = html`${lineField(reader, {
    name: 'find',
    type: 'search',
    label: say('console.users.find'),
    value: list.find,
    isOptional: true,
  })}${choiceField({ name: 'only', label: say('console.users.only'), choices, value: list.only })}`;
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
