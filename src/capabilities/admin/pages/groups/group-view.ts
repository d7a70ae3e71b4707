import type { CursorPage } from '../../../../core/domain/cursor.ts';
import type { Group } from '../../../../core/domain/group.ts';
import { displayNameOf } from '../../../../core/domain/profile.ts';
import { groupAddress, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneNotice } from '../../../../faces/pages/console/layout.ts';
import {
  card,
  changeButton,
  dangerButton,
  isAdministrator,
  linkButton,
} from '../../../../faces/pages/console/parts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import type { PageSent } from '../../../../faces/pages/page.ts';
import { filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { facts, type PageOfList, pager, table } from '../../../../faces/pages/parts/list.ts';
import type { GroupMember, GroupShown } from '../../../people/representations/admin/group.ts';
import type { ListedUser } from '../../../people/representations/admin/user.ts';
import { groupState } from './state.ts';

/** The values on the page about a group. */
interface EverythingAboutGroup {
  readonly view: GroupShown;
  readonly members: CursorPage<GroupMember>;
  /** Where the members begin. */
  readonly place: Omit<PageOfList, 'next'>;
  /** The users and groups that a search found, to add one. */
  readonly search:
    | { readonly find: string; readonly users: readonly ListedUser[]; readonly groups: readonly Group[] }
    | undefined;
  readonly done: string | undefined;
}

const NOTICES = {
  added: 'console.groups.done.added',
  changed: 'console.groups.done.changed',
  'add-user': 'console.groups.done.memberAdded',
  'add-group': 'console.groups.done.memberAdded',
  'remove-user': 'console.groups.done.memberRemoved',
  'remove-group': 'console.groups.done.memberRemoved',
} as const;

/** A member as a row shows it. */
interface MemberRow {
  readonly type: 'user' | 'group';
  readonly name: string;
  readonly displayName: string;
}

const rowOfGroup = ({ name, displayName }: Group): MemberRow => ({ type: 'group', name, displayName });

function rowOfUser({ user, profile }: Pick<ListedUser, 'user' | 'profile'>): MemberRow {
  return { type: 'user', name: user.name, displayName: displayNameOf(user.name, profile) };
}

/** Members, or what a search found. */
interface MembersShown {
  readonly rows: readonly MemberRow[];
  readonly caption: string;
  readonly whenEmpty: string;
  /** The change by the button of each row. */
  readonly button: 'addMember' | 'removeMember';
}

function memberTable(reader: Reader, view: GroupShown, { rows, button, ...texts }: MembersShown): Html {
  const { say } = reader;
  const { group } = view;
  const state = groupState(view);
  const address = ({ type, name }: MemberRow) => (type === 'user' ? userAddress(name) : groupAddress(name));
  const change = ({ type }: MemberRow) =>
    `${groupAddress(group.name)}/${button === 'addMember' ? 'add' : 'remove'}-${type}`;
  const columns = [
    {
      heading: say('console.groups.member'),
      cell: (row: MemberRow) => html`<a href="${address(row)}">${row.name}</a>`,
    },
    { heading: say('console.users.displayName'), cell: ({ displayName }: MemberRow) => displayName },
    {
      heading: say('console.groups.type'),
      cell: ({ type }: MemberRow) => say(`console.groups.type.${type}`),
    },
  ];
  const changed = {
    heading: say('console.change'),
    isPlain: true,
    cell: (row: MemberRow) =>
      changeButton(reader, change(row), say(`console.groups.${button}`), state, row.name),
  };
  return table({ ...texts, rows, columns: isAdministrator(reader) ? [...columns, changed] : columns });
}

function membersCard(reader: Reader, { view, members, place }: EverythingAboutGroup): Html {
  const { say } = reader;
  const { group } = view;
  const { items, next } = members;
  const caption = say('console.groups.members');
  const list = memberTable(reader, view, {
    button: 'removeMember',
    caption,
    whenEmpty: say('console.groups.noMembers'),
    rows: items.map((member) => ('group' in member ? rowOfGroup(member.group) : rowOfUser(member))),
  });
  const pages = pager(reader, groupAddress(group.name), {}, { ...place, next });
  const file = `groups/${encodeURIComponent(group.name)}/members`;
  const body = html`<p class="hint">${say('console.groups.nestedHint')}</p>${list}${pages}
${items.length > 0 && downloadLinks(reader, file)}`;
  return card(caption, body);
}

/** The search for new members. */
function addCard(reader: Reader, view: GroupShown, search: EverythingAboutGroup['search']): Html {
  const { say } = reader;
  const { group } = view;
  const field = lineField(reader, {
    name: 'find',
    type: 'search',
    label: say('console.groups.findMember'),
    isOptional: true,
    value: search?.find,
    hint: say('console.groups.findMemberHint'),
  });
  const others = search?.groups.filter(({ id }) => id !== group.id) ?? [];
  const caption = say('console.groups.foundMembers');
  const found =
    search &&
    memberTable(reader, view, {
      button: 'addMember',
      caption,
      whenEmpty: say('console.groups.noMemberFound'),
      rows: [...search.users.map(rowOfUser), ...others.map(rowOfGroup)],
    });
  const [action, submit] = [groupAddress(group.name), say('console.search.submit')];
  const form = filterForm(reader, { action, fields: field, results: 'found', submit });
  return card(say('console.groups.addMembers'), html`${form}<div id="found">${found}</div>`);
}

function groupFacts({ say }: Reader, { group, memberOf }: GroupShown): Html {
  const containing = memberOf.map(
    ({ name }, at) => html`${at > 0 && ', '}<a href="${groupAddress(name)}">${name}</a>`,
  );
  return card(
    say('console.groups.about'),
    facts([
      [say('console.groups.name'), group.name],
      [say('console.groups.displayName'), group.displayName],
      [say('console.groups.role'), say(`role.${group.role ?? 'none'}`)],
      [say('console.groups.memberOf'), memberOf.length === 0 ? say('console.groups.inNone') : containing],
    ]),
  );
}

/** The page about one group. */
export function groupPage(reader: Reader, everything: EverythingAboutGroup): PageSent {
  const { say } = reader;
  const { view, search, done } = everything;
  const { group } = view;
  const at = groupAddress(group.name);
  const actions = html`${linkButton(`${at}/edit`, say('console.users.edit'))}
${dangerButton(`${at}/remove`, say('console.groups.remove.submit'))}`;
  return consolePage(reader, {
    title: group.displayName,
    current: at,
    usesHtmx: isAdministrator(reader),
    up: { to: '/portal/console/groups', text: say('console.groups') },
    actions: isAdministrator(reader) && actions,
    done: doneNotice(reader, done, NOTICES),
    body: html`${groupFacts(reader, view)}${isAdministrator(reader) && addCard(reader, view, search)}
${membersCard(reader, everything)}`,
  });
}
