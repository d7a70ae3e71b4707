import type { Page, PageSection, PageTable, PageText } from '../../representations/representation.ts';
import { STYLE } from './style.ts';
import { escapeText } from './xml.ts';

/** A long path may go on below after each of its slashes, so that it takes no room from what stands beside it. */
const codeOf = (text: string) => `<code>${escapeText(text).replaceAll(/\/(?=.)/g, '/<wbr>')}</code>`;

function textOf(text: PageText): string {
  if (typeof text === 'string') return escapeText(text);
  const shown = text.code ? codeOf(text.text) : escapeText(text.text);
  return text.to === undefined ? shown : `<a href="${escapeText(text.to)}">${shown}</a>`;
}

/** One text, or several below one another. */
function cell(content: PageText | readonly PageText[]): string {
  return Array.isArray(content) ? content.map(textOf).join('<br>') : textOf(content as PageText);
}

function listOf(rows: Page['rows']): string {
  if (rows.length === 0) return '';
  const list = rows.map(([label, text]) => `<dt>${escapeText(label)}</dt><dd>${cell(text)}</dd>`);
  return `<dl>\n${list.join('\n')}\n</dl>`;
}

/** Whoever has no mouse scrolls a wide table or a long line by its focus, and hears its name. */
const scrolled = (tag: string, kind: string, label: string, inner: string) =>
  `<${tag}${kind} role="region" tabindex="0" aria-label="${escapeText(label)}">${inner}</${tag}>`;

function tableOf({ headings, rows }: PageTable, label: string): string {
  const head = headings.map((heading) => `<th scope="col">${escapeText(heading)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((each) => `<td>${cell(each)}</td>`).join('')}</tr>`);
  const table = `<table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`;
  return scrolled('div', ' class="table"', label, table);
}

function sectionOf({ heading, table, blocks = [] }: PageSection): string {
  const pasted = blocks.map(
    ([label, lines]) =>
      `<h3>${escapeText(label)}</h3>\n${scrolled('pre', '', label, `<code>${escapeText(lines)}</code>`)}`,
  );
  const parts = [table === undefined ? '' : tableOf(table, heading), ...pasted];
  return `<section><h2>${escapeText(heading)}</h2>\n${parts.join('\n')}</section>`;
}

/** Where a script shows what it makes. */
const placeOf = ({ within, otherwise }: NonNullable<Page['made']>) =>
  `<noscript><p>${escapeText(otherwise)}</p></noscript>\n<div id="${escapeText(within)}"></div>`;

function headOf({ title, made }: Page): string {
  const style = made ? `<link rel="stylesheet" href="${escapeText(made.style)}">` : `<style>${STYLE}</style>`;
  const script = made ? `<script src="${escapeText(made.script)}" defer></script>` : '';
  return `<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title>${style}${script}`;
}

/** A page for people. */
export function htmlDocument(page: Page): string {
  const { title, links = [], rows, sections, made } = page;
  const nav = links.length === 0 ? '' : `<nav aria-label="Pages">${links.map(textOf).join(' ')}</nav>`;
  const parts = [listOf(rows), ...(sections ?? []).map(sectionOf), made ? placeOf(made) : ''];
  const main = parts.filter((part) => part !== '').join('\n');
  return `<!doctype html>
<html lang="en"><head>${headOf(page)}</head>
<body${sections || made ? ' class="wide"' : ''}>${nav}<main><h1>${escapeText(title)}</h1>${main}</main></body></html>
`;
}
