import type { Total } from '../../../core/representations/admin/page.ts';
import { Type } from '../../../core/schema.ts';
import { addressWith } from '../console/addresses.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import type { Say } from '../texts/texts.ts';

/** A column of a table of these rows. */
export interface TableColumn<R> {
  readonly heading: string;
  readonly cell: (row: R) => HtmlValue;
  /** Whether it holds numbers: they stand below one another at the right. */
  readonly isNumber?: boolean;
  /** Whether its cells need no heading beside them, where a phone shows each row as a card: buttons, and what happened. */
  readonly isPlain?: boolean;
  /** The address of the list sorted by this column, and how it is sorted by it now. */
  readonly sort?: { readonly to: string; readonly now: 'ascending' | 'descending' | undefined };
}

/** A table and what it shows. The first column names its row. */
export interface TableShown<R> {
  /** Names the rows for screen readers. */
  readonly caption: string;
  readonly columns: readonly TableColumn<R>[];
  readonly rows: readonly R[];
  /** The sentence in place of the table if there are no rows. */
  readonly whenEmpty: HtmlValue;
  /**
   * The stream of new rows, which the script adds on top (server-sent events). Each message is of the event `rows`; its data
   * has a member `rows`, which `tableRows` made.
   */
  readonly tail?: { readonly url: string; readonly say: Say };
}

const kindOf = ({ isNumber }: TableColumn<never>) => isNumber && 'number';

/** The rows of a table, as a stream of new ones sends them too. */
export function tableRows<R>({ columns, rows }: Pick<TableShown<R>, 'columns' | 'rows'>): Html {
  const cellsOf = (row: R) =>
    columns.map((column, at) =>
      at === 0
        ? html`<th scope="row" class="${kindOf(column)}">${column.cell(row)}</th>`
        : html`<td class="${kindOf(column)}" data-label="${!column.isPlain && column.heading}">${column.cell(row)}</td>`,
    );
  return html`${rows.map((row) => html`<tr>${cellsOf(row)}</tr>`)}`;
}

/** Whether a phone shows each row as a card, since the columns do not stand side by side on it. Numbers do. */
const hasCards = (columns: readonly TableColumn<never>[]): boolean =>
  columns.filter(({ isNumber }) => !isNumber).length > 2;

/** A table in a box that scrolls by itself, with the keyboard too. On a phone each row is a card with the headings in it. */
export function table<R>(view: TableShown<R>): Html {
  const { caption, columns, rows, whenEmpty, tail } = view;
  if (rows.length === 0 && tail === undefined) return html`<p class="empty">${whenEmpty}</p>`;
  const head = columns.map((column) => {
    const { heading, sort } = column;
    const text = sort === undefined ? heading : html`<a href="${sort.to}">${heading}</a>`;
    return html`<th scope="col" class="${kindOf(column)}" aria-sort="${sort?.now}">${text}</th>`;
  });
  return html`<div class="table" role="region" tabindex="0" aria-label="${caption}"><table class="${hasCards(columns) && 'cards'}">
<caption class="unseen">${caption}</caption><thead><tr>${head}</tr></thead>
<tbody data-tail-url="${tail?.url}" data-live="${tail?.say('list.live')}" data-pause="${tail?.say('list.pause')}" data-go-on="${tail?.say('list.goOn')}" data-ended="${tail?.say('list.ended')}">${tableRows(view)}</tbody></table></div>`;
}

/** What the address of a page says about its place in a list: its cursor, and those of the pages before it, but the first. */
export const placeArguments = {
  cursor: Type.Optional(Type.String({ description: 'Where the page begins.' })),
  before: Type.Optional(Type.String({ description: 'Where the pages before it begin.' })),
};

/** A page of a list, as its address and its operation tell. */
export interface PageOfList {
  readonly cursor?: string | undefined;
  readonly before?: string | undefined;
  readonly next: string | undefined;
}

/** So many pages lead back, one by one. Addresses have a limit. */
const MOST_BEFORE = 40;
/** Stands for pages that no longer fit into the address. No cursor has this character. */
const FORGOTTEN = '~';

/**
 * Links from a page of the list at `path` to the first, the previous and the next one; nothing if the list has one page. Cursors lead forward
 * only, so the address names the pages before.
 */
export function pager(
  { say }: Reader,
  path: string,
  filters: Readonly<Record<string, string | undefined>>,
  { cursor, before, next }: PageOfList,
): Html | undefined {
  if (!cursor && next === undefined) return undefined;
  const at = (place: string | undefined, pages: readonly string[]) =>
    addressWith(path, { ...filters, cursor: place, before: pages.join('.') });
  const pages = before ? before.split('.') : [];
  const onward = cursor ? [...pages, cursor] : [];
  const shown = onward.length > MOST_BEFORE ? [FORGOTTEN, ...onward.slice(2 - MOST_BEFORE)] : onward;
  const hasPrevious = cursor && pages.at(-1) !== FORGOTTEN;
  return html`<nav class="pager" aria-label="${say('list.pages')}">
${cursor && html`<a class="button quiet" href="${at(undefined, [])}">${say('list.first')}</a>`}
${hasPrevious && html`<a class="button quiet" href="${at(pages.at(-1), pages.slice(0, -1))}" rel="prev">${say('list.previous')}</a>`}
${next && html`<a class="button quiet" href="${at(next, shown)}" rel="next">${say('list.next')}</a>`}</nav>`;
}

/** How many rows all pages of a list have; nothing if that was not counted, or there are none. */
export function totalRows({ say }: Reader, total: Total | undefined): Html | undefined {
  if (total === undefined || total.count === 0) return undefined;
  const { count, isExact } = total;
  return html`<p class="hint">${say(isExact ? 'list.count' : 'list.moreThan', { count })}</p>`;
}

/** Labels and values about one object. A value that shows nothing is left out with its label. */
export function facts(rows: readonly (readonly [label: HtmlValue, value: HtmlValue])[]): Html {
  const filled = rows.filter(([, value]) => String(html`${value}`).trim() !== '');
  return html`<dl class="facts">${filled.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A number that a card shows. */
export interface Figure {
  readonly label: string;
  readonly value: string | number;
  readonly note?: HtmlValue;
  /** The page that says more. */
  readonly to?: string;
}

/** Numbers side by side, each in a card. */
export function figures(list: readonly Figure[]): Html {
  const cards = list.map(({ label, value, note, to }) => {
    const name = to === undefined ? label : html`<a href="${to}">${label}</a>`;
    return html`<div class="card figure"><dt>${name}</dt><dd><span class="value">${value}</span>${note && html`<span class="hint">${note}</span>`}</dd></div>`;
  });
  return html`<dl class="figures">${cards}</dl>`;
}

/** Links to the pages about one object. `current` is the one that is shown. */
export function tabs(
  label: string,
  pages: readonly { readonly to: string; readonly text: string }[],
  current: string,
): Html {
  const links = pages.map(
    ({ to, text }) => html`<a href="${to}" aria-current="${to === current && 'page'}">${text}</a>`,
  );
  return html`<nav class="tabs" aria-label="${label}">${links}</nav>`;
}
