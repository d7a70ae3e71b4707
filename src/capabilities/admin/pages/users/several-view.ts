import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { isAdministrator, linkButton } from '../../../../faces/pages/console/parts.ts';
import { type Html, html } from '../../../../faces/pages/html.ts';
import { type Reader, tokenField } from '../../../../faces/pages/layout.ts';
import type { PageSent } from '../../../../faces/pages/page.ts';
import { choiceField, confirmation, faultSummary, lineField } from '../../../../faces/pages/parts/form.ts';
import { table } from '../../../../faces/pages/parts/list.ts';
import { notice } from '../../../../faces/pages/parts/notice.ts';
import type { TextKey } from '../../../../faces/pages/texts/texts.ts';
import type { ListedUser } from '../../../people/representations/admin/user.ts';

export const USERS = '/portal/console/users';
/** The page that asks before several users are changed. */
export const SEVERAL = '/portal/console/change-users';

/** What can be done with several users at once. */
export const SEVERAL_CHANGES = ['join-group', 'enable', 'end-tickets', 'disable'] as const;
export type SeveralChange = (typeof SEVERAL_CHANGES)[number];

const NAMES: Readonly<Record<SeveralChange, TextKey>> = {
  disable: 'console.users.disable.submit',
  enable: 'console.users.enable',
  'end-tickets': 'console.users.end-tickets.submit',
  'join-group': 'console.several.join-group',
};

/** Before the name of a user in the members of the form. Each value is the number of the user, which no other user gets. */
const CHOSEN = 'user.';

/** A page of the list of users: its filter, its order, and where it begins. */
export interface PlaceInUsers {
  readonly find?: string | undefined;
  readonly only?: string | undefined;
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
  readonly before?: string | undefined;
}

/** The member of the forms that names the page of the list, so that the reader gets back to it. */
export const BACK = 'back';

const query = (place: PlaceInUsers) => addressWith('', { ...place }).slice(1);

/** The page of the list that a form came from. It leads to no other page. */
export const backTo = (back: string | undefined, done?: string): string => {
  const { find, only, sort, cursor, before } = Object.fromEntries(new URLSearchParams(back));
  return addressWith(USERS, { find, only, sort, cursor, before, done });
};

/** A user whose box is ticked, as its page showed it. */
export interface ChosenUser {
  readonly name: string;
  readonly id: string;
}

/** The users whose boxes are ticked in a form. */
export const chosenIn = (body: object): readonly ChosenUser[] =>
  Object.entries(body)
    .filter(([member]) => member.startsWith(CHOSEN))
    .map(([member, id]) => ({ name: member.slice(CHOSEN.length), id: String(id) }));

/** The box that chooses a user of the list. */
export const chooseBox = ({ say }: Reader, { user: { name, id } }: ListedUser): Html =>
  html`<input type="checkbox" name="${CHOSEN}${name}" value="${id}" aria-label="${say('console.several.choose', { name })}">`;

/** The form around a list of users whose rows have boxes. Operators end tickets only. */
export function severalForm(reader: Reader, list: Html, place: PlaceInUsers): Html {
  const { say } = reader;
  const allowed = SEVERAL_CHANGES.filter((what) => isAdministrator(reader) || what === 'end-tickets');
  const choices = allowed.map((value) => ({ value, text: say(NAMES[value]) }));
  return html`<form method="post" action="${SEVERAL}">${tokenField(reader)}<input type="hidden" name="${BACK}" value="${query(place)}">
<div class="filters">${choiceField({ name: 'what', label: say('console.several.what'), choices })}
<div class="actions"><button class="quiet">${say('console.several.continue')}</button></div></div>${list}</form>`;
}

/** The page for a reader who ticked no user, or too many users. */
export function notChosenPage(reader: Reader, sentence: string, back: string | undefined): PageSent {
  const { say } = reader;
  return consolePage(reader, {
    title: say('refusal.title'),
    current: USERS,
    body: html`<div class="card narrow">${faultSummary([{ sentence }])}<p>${linkButton(backTo(back), say('console.back'))}</p></div>`,
  });
}

/** Asks once before the users are changed, and names each of them. */
export function severalPage(
  reader: Reader,
  what: SeveralChange,
  chosen: readonly ChosenUser[],
  more: { readonly back: string | undefined; readonly group?: string; readonly fault?: string },
): PageSent {
  const { say } = reader;
  const { back = '', group, fault } = more;
  const names = html`<ul>${chosen.map(({ name }) => html`<li>${name}</li>`)}</ul>`;
  const groupField =
    what === 'join-group' &&
    lineField(reader, { name: 'group', label: say('console.several.group'), value: group, isFocused: true });
  const question = confirmation(reader, {
    sentence: say(`console.several.${what}.sentence`),
    fault,
    fields: html`${names}${groupField}`,
    hidden: { what, [BACK]: back, ...Object.fromEntries(chosen.map(({ name, id }) => [CHOSEN + name, id])) },
    submit: say(NAMES[what]),
    isDangerous: what === 'disable' || what === 'end-tickets',
    action: `${SEVERAL}/confirmed`,
    cancel: backTo(back),
  });
  const title = say(`console.several.${what}.title`, { count: chosen.length });
  return consolePage(reader, { title, current: USERS, body: question });
}

/** A user who was not changed, and why. */
export interface Unchanged {
  readonly name: string;
  readonly why: string;
}

/** Says which users were not changed and why, and how many were. */
export function unchangedPage(
  reader: Reader,
  unchanged: readonly Unchanged[],
  changed: number,
  place: string | undefined,
): PageSent {
  const { say } = reader;
  const columns = [
    { heading: say('console.users.name'), cell: ({ name }: Unchanged) => name },
    { heading: say('console.several.why'), cell: ({ why }: Unchanged) => why },
  ];
  const title = say('console.several.unchanged', { count: unchanged.length });
  const rest = changed > 0 && notice('good', say('console.several.changed', { count: changed }));
  const list = table({ caption: title, columns, rows: unchanged, whenEmpty: '' });
  const back = linkButton(backTo(place), say('console.back'));
  return consolePage(reader, { title, current: USERS, body: html`${rest}${list}<p>${back}</p>` });
}
