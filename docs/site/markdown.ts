import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeText } from '../../src/core/http/formats.ts';

/** Where the checkout is: the pages link to each other, and to other files of it. */
export const ROOT = new URL('../../', import.meta.url);

/** The anchor that forges make of a heading in Markdown. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A line without the marks of Markdown. */
export const plain = (line: string): string => line.replace(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1');

/** Where a file of the checkout is in the site. A README is the index of its folder. */
export const placeOf = (file: string): string =>
  (file.startsWith('docs/') ? file.slice('docs/'.length) : `project/${file}`)
    .replace(/(^|\/)README\.md$/, '$1index.html')
    .replace(/\.md$/, '.html');

/** A heading of a page with the text below it, up to the next heading. */
export interface Section {
  readonly level: number;
  /** In Markdown. */
  readonly heading: string;
  readonly anchor: string;
  /** In Markdown, without the addresses of links. */
  readonly text: string;
}

/** A page of the documents in HTML. */
export interface RenderedPage {
  readonly sections: readonly Section[];
  readonly body: string;
  /** Other files of the checkout to which it leads. */
  readonly files: readonly string[];
}

/** Files that the published package has, too. Source and tests are in a checkout alone. */
const isPublished = (file: string) => /^(?:docs|deploy|conformance)\/.*(?<!\.ts)$|^LICENSE$/.test(file);

/** Leads from one page to a file of the checkout; undefined if the site does not have the file. */
function linkBetween(file: string, target: string, pages: ReadonlySet<string>, files: Set<string>) {
  const [path = '', anchor] = target.split('#');
  const named = path === '' ? file : posix.join(posix.dirname(file), path).replace(/\/$/, '');
  const place = new URL(named, ROOT);
  if (!pages.has(named)) {
    if (!isPublished(named) || !existsSync(place) || statSync(place).isDirectory()) return undefined;
    files.add(named);
  }
  const link = posix.relative(posix.dirname(placeOf(file)), placeOf(named));
  return anchor === undefined ? link : `${path === '' ? '' : link}#${anchor}`;
}

function sectionsIn(tokens: readonly { type: string; raw: string }[]): Section[] {
  const sections: (Section & { text: string })[] = [];
  const seen = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth: level, text: heading } = token as Tokens.Heading;
      const base = anchorOf(heading);
      const times = seen.get(base) ?? 0;
      seen.set(base, times + 1);
      sections.push({ level, heading, anchor: times === 0 ? base : `${base}-${times}`, text: '' });
    } else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += token.raw.replace(/\]\([^)]*\)/g, ']');
    }
  }
  return sections;
}

/** Renders a page. `pages` are all files that become pages of the site. */
export function renderPage(file: string, pages: ReadonlySet<string>): RenderedPage {
  const files = new Set<string>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = sections[next++]?.anchor;
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link(token) {
        const text = this.parser.parseInline(token.tokens);
        // An example in a table, and nobody's address.
        if (token.href.startsWith('mailto:')) return text;
        if (/^https?:/.test(token.href)) return false;
        const link = linkBetween(file, token.href, pages, files);
        if (link !== undefined) return `<a href="${link}">${text}</a>`;
        const named = posix.basename(token.href);
        return token.text.includes(named) ? text : `${text} (<code>${named}</code>)`;
      },
      table({ header, rows }) {
        const labels = header.map(({ text }) => plain(text));
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const heads = header.map((cell) => `<th scope="col">${inline(cell)}</th>`);
        const cells = (row: readonly Tokens.TableCell[]) =>
          row.map((cell, at) => `<td data-label="${escapeText(labels[at] ?? '')}">${inline(cell)}</td>`);
        const lines = rows.map((row) => `<tr>${cells(row).join('')}</tr>\n`);
        // On a phone each row is a card. A table that is wider than the screen scrolls by itself, with the keyboard too.
        return `<div class="table" role="region" tabindex="0" aria-label="Table"><table class="cards"><thead><tr>${heads.join('')}</tr></thead><tbody>
${lines.join('')}</tbody></table></div>\n`;
      },
      image({ href, text }) {
        const link = linkBetween(file, href, pages, files);
        return `<img src="${link}" alt="${escapeText(text)}" loading="lazy">`;
      },
    },
  });
  let next = 0;
  const tokens = marked.lexer(readFileSync(new URL(file, ROOT), 'utf8'));
  const sections = sectionsIn(tokens);
  const body = marked.parser(tokens).replaceAll('<pre>', '<pre tabindex="0">');
  return { sections, body, files: [...files] };
}
