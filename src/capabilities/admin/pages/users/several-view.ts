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
export const SEVERAL_CHANGES = ['disable', 'enable', 'end-tickets', 'join-group'] as const;
export type SeveralChange = (typeof SEVERAL_CHANGES)[number];

const NAMES: Readonly<Record<SeveralChange, TextKey>> = {
  disable: 'console.users.disable.submit',
  enable: 'console.users.enable',
  'end-tickets': 'console.users.end-tickets.submit',
  'join-group': 'console.several.join-group',
};

/** Before the name of a user in the members of the form. Each value is the number of the user, which no other user gets. */
const CHOSEN = 'user.';

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
export function severalForm(reader: Reader, list: Html): Html {
  const { say } = reader;
  const allowed = SEVERAL_CHANGES.filter((what) => isAdministrator(reader) || what === 'end-tickets');
  const choices = allowed.map((value) => ({ value, text: say(NAMES[value]) }));
  return html`<form method="post" action="${SEVERAL}">${tokenField(reader)}
<div class="filters">${choiceField({ name: 'what', label: say('console.several.what'), choices })}
<div class="actions"><button class="quiet">${say('console.several.continue')}</button></div></div>${list}</form>`;
}

/** The page for a reader who ticked no user, or too many users. */
export function notChosenPage(reader: Reader, sentence: string): PageSent {
  const { say } = reader;
  return consolePage(reader, {
    title: say('refusal.title'),
    current: USERS,
    body: html`<div class="card narrow">${faultSummary([{ sentence }])}<p>${linkButton(USERS, say('console.back'))}</p></div>`,
  });
}

/** Asks once before the users are changed, and names each of them. */
export function severalPage(
  reader: Reader,
  what: SeveralChange,
  chosen: readonly ChosenUser[],
  again: { readonly group?: string | undefined; readonly fault?: string } = {},
): PageSent {
  const { say } = reader;
  const { group, fault } = again;
  const names = html`<ul>${chosen.map(({ name }) => html`<li>${name}</li>`)}</ul>`;
  const groupField =
    what === 'join-group' &&
    lineField(reader, { name: 'group', label: say('console.several.group'), value: group, isFocused: true });
  const question = confirmation(reader, {
    sentence: say(`console.several.${what}.sentence`),
    fault,
    fields: html`${names}${groupField}`,
    hidden: { what, ...Object.fromEntries(chosen.map(({ name, id }) => [CHOSEN + name, id])) },
    submit: say(NAMES[what]),
    isDangerous: what === 'disable' || what === 'end-tickets',
    action: `${SEVERAL}/confirmed`,
    cancel: USERS,
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
export function unchangedPage(reader: Reader, unchanged: readonly Unchanged[], changed: number): PageSent {
  const { say } = reader;
  const columns = [
    { heading: say('console.users.name'), cell: ({ name }: Unchanged) => name },
    { heading: say('console.several.why'), cell: ({ why }: Unchanged) => why },
  ];
  const title = say('console.several.unchanged', { count: unchanged.length });
  const rest = changed > 0 && notice('good', say('console.several.changed', { count: changed }));
  const list = table({ caption: title, columns, rows: unchanged, whenEmpty: '' });
  const back = linkButton(USERS, say('console.back'));
  return consolePage(reader, { title, current: USERS, body: html`${rest}${list}<p>${back}</p>` });
}
