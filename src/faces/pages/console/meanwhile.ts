import { Type } from '../../../core/schema.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { table } from '../parts/list.ts';
import { notice } from '../parts/notice.ts';
import type { Say, TextKey } from '../texts/texts.ts';

/**
 * The values that a page showed, by their names. Its forms carry them, so that a change in between by somebody else is seen.
 * The member `id` tells an object from a later one of the same name.
 */
export type ShownState = Readonly<Record<string, string>>;

/** How a page names a value of a state, and what it shows for it. */
export type StateTexts = Readonly<
  Record<string, { readonly label: TextKey; text?(say: Say, value: string): string }>
>;

const STATE = 'was';

/** The hidden members of a form with the state that its page showed, or that an earlier page of the same form had shown. */
export const hiddenState = (
  state: ShownState,
  { was = JSON.stringify(state) }: { readonly [STATE]?: string | undefined } = {},
): Readonly<Record<string, string>> => ({ [STATE]: was });

/** The member of a form with the state that its page showed. */
export const stateMember = {
  [STATE]: Type.Optional(Type.String({ description: 'What the page of the form showed.' })),
};

/** The state in a form; an empty one if the form has none that can be read. */
export function stateIn({ was = '{}' }: { readonly was?: string }): ShownState {
  try {
    const state: unknown = JSON.parse(was);
    if (typeof state !== 'object' || state === null) return {};
    return Object.fromEntries(Object.entries(state).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

/** The names of the values that are not as the page showed them. */
export const changedSince = (was: ShownState, now: ShownState): readonly string[] =>
  [...new Set([...Object.keys(was), ...Object.keys(now)])].filter((name) => was[name] !== now[name]);

/** Whether the page was about another object of the same name. */
export const isAnother = (was: ShownState, now: ShownState): boolean =>
  was.id !== undefined && was.id !== now.id;

/** A value as a page shows it. */
export function stateText(
  { say }: Reader,
  texts: StateTexts,
  name: string,
  value: string | undefined,
): string {
  if (value === undefined || value === '') return say('console.meanwhile.nothing');
  return texts[name]?.text?.(say, value) ?? value;
}

/** Says what somebody else changed since the page was shown: each value before, and as it is now. */
export function changedNotice(
  reader: Reader,
  texts: StateTexts,
  { name, was, now }: { readonly name: string; readonly was: ShownState; readonly now: ShownState },
): Html {
  const { say } = reader;
  const rows = changedSince(was, now).filter((each) => Object.hasOwn(texts, each));
  const columns = [
    { heading: say('console.meanwhile.what'), cell: (row: string) => say(texts[row]?.label as TextKey) },
    { heading: say('console.meanwhile.was'), cell: (row: string) => stateText(reader, texts, row, was[row]) },
    { heading: say('console.meanwhile.now'), cell: (row: string) => stateText(reader, texts, row, now[row]) },
  ];
  const title = say('console.meanwhile.title', { name });
  const other = isAnother(was, now) && html`<p>${say('console.meanwhile.another', { name })}</p>`;
  const list = rows.length > 0 && table({ caption: title, columns, rows, whenEmpty: '' });
  return html`${notice('warning', html`<p>${title}</p>${other}`)}${list}`;
}
