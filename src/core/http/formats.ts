import { createHash } from 'node:crypto';
import type {
  Format,
  Page,
  PageDress,
  PageSection,
  PageText,
  Representation,
  StreamMessage,
  XmlElement,
} from '../representations/representation.ts';

/** The media type of each format, to the byte as clients compare it. */
export const MEDIA_TYPES: Record<Format, string> = {
  xml: 'text/xml;charset=UTF-8',
  json: 'application/json;charset=UTF-8',
  html: 'text/html;charset=UTF-8',
  schema: 'application/schema+json',
  js: 'text/javascript;charset=UTF-8',
  css: 'text/css;charset=UTF-8',
  csv: 'text/csv;charset=UTF-8',
  svg: 'image/svg+xml;charset=UTF-8',
  // The standard fixes the charset, and some readers compare the whole type.
  stream: 'text/event-stream',
};

type FormatWriter = <V>(representation: Representation<V>, value: V) => string | undefined;

const WRITERS: Record<Format, FormatWriter> = {
  xml: ({ xml }, value) => xml && xmlDocument(xml(value)),
  json: ({ json, jsonText }, value) => jsonText?.(value) ?? (json && JSON.stringify(json(value))),
  html: ({ html, htmlText, json, jsonAsHtml }, value) => {
    if (htmlText !== undefined) return htmlText(value);
    // Without an angle bracket no browser finds markup in it.
    if (jsonAsHtml) return JSON.stringify(json?.(value)).replaceAll('<', '\\u003c');
    return html && htmlDocument(html(value));
  },
  schema: ({ jsonSchema }, value) => jsonSchema && JSON.stringify(jsonSchema(value)),
  js: ({ js }, value) => js?.(value),
  css: ({ css }, value) => css?.(value),
  csv: ({ csv }, value) => csv?.(value),
  svg: ({ svg }, value) => svg?.(value),
  stream: ({ stream }, value) => stream?.(value).map(messageText).join(''),
};

/** The body that shows `value` in `format`. Throws if the representation does not offer that format. */
export function write<V>(representation: Representation<V>, value: V, format: Format): string {
  const body = WRITERS[format](representation, value);
  if (body === undefined) throw new Error(`there is no ${format} of it`);
  return body;
}

/** JSON has no line breaks, so each message has one line of data. */
const messageText = ({ id, event, data }: StreamMessage) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // XML parsers read a bare carriage return as a line feed (XML 1.0, section 2.11).
  '\r': '&#13;',
};
/** Characters that XML 1.0 cannot hold in any spelling. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Most texts: nothing in them has to be escaped. */
const PLAIN = /^[\w .:/-]*$/;

/** Text as XML and HTML hold it. Characters that XML cannot hold become U+FFFD. */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/[&<>"'\r]/g, (character) => ESCAPES[character] as string)
    .replace(FORBIDDEN, '\u{FFFD}');
}

function xmlElement([name, content]: XmlElement): string {
  const inner = typeof content === 'string' ? escapeText(content) : content.map(xmlElement).join('');
  return inner === '' ? `<${name}/>` : `<${name}>${inner}</${name}>`;
}

/** The declaration, the element and a line feed, to the byte: clients cut the text by position. */
function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement(root)}\n`;
}

/** A long path may break after each of its slashes, so that it leaves room for the other columns. */
const codeOf = (text: string) => `<code>${escapeText(text).replaceAll(/\/(?=.)/g, '/<wbr>')}</code>`;

function textOf(text: PageText): string {
  if (typeof text === 'string') return escapeText(text);
  const content = text.code ? codeOf(text.text) : escapeText(text.text);
  return text.to === undefined ? content : `<a href="${escapeText(text.to)}">${content}</a>`;
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

/** A wide table: with the keyboard a reader focuses it to scroll, and a screen reader says its name. */
function sectionOf({ heading, table: { headings, rows } }: PageSection): string {
  const [name, head] = [
    escapeText(heading),
    headings.map((each) => `<th scope="col">${escapeText(each)}</th>`),
  ];
  const body = rows.map((row) => `<tr>${row.map((each) => `<td>${cell(each)}</td>`).join('')}</tr>`);
  return `<section><h2>${name}</h2>
<div class="table" role="region" tabindex="0" aria-label="${name}"><table><thead><tr>${head.join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div></section>`;
}

/** The element that a script fills. */
const filledByScript = ({ within, otherwise }: NonNullable<Page['assets']>) =>
  `<noscript><p>${escapeText(otherwise)}</p></noscript>\n<div id="${escapeText(within)}"></div>`;

function headOf(page: Page): string {
  const { title, assets, dress } = page;
  const style = assets
    ? `<link rel="stylesheet" href="${escapeText(assets.style)}">`
    : `<style>${styleOf(page)}</style>`;
  const script = assets ? `<script src="${escapeText(assets.script)}" defer></script>` : '';
  return `<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeText(dress?.name ? `${title} · ${dress.name}` : title)}</title>${style}${script}`;
}

/** The logo and the name of the operator. The logo is a picture within the page, so that nothing in it runs. */
function dressHead({ name, logo }: PageDress): string {
  if (name + logo === '') return '';
  const data = Buffer.from(logo).toString('base64');
  const picture = logo === '' ? '' : `<img src="data:image/svg+xml;base64,${data}" height="28" alt=""> `;
  return `<header>${picture}<b>${escapeText(name)}</b></header>`;
}

const dressFoot = ({ links }: PageDress): string =>
  links.length === 0 ? '' : `<footer>${links.map(textOf).join(' · ')}</footer>`;

/** A page as a whole document. */
export function htmlDocument(page: Page): string {
  const { title, language = 'en', dress, links = [], rows, sections, assets } = page;
  const theme = dress?.theme === undefined ? '' : ` data-theme="${dress.theme}"`;
  const nav = links.length === 0 ? '' : `<nav aria-label="Pages">${links.map(textOf).join(' ')}</nav>`;
  const parts = [listOf(rows), ...(sections ?? []).map(sectionOf), assets ? filledByScript(assets) : ''];
  const main = parts.filter((part) => part !== '').join('\n');
  return `<!doctype html>
<html lang="${escapeText(language)}"${theme}><head>${headOf(page)}</head>
<body${sections || assets ? ' class="wide"' : ''}>${nav}${dress ? dressHead(dress) : ''}<main><h1>${escapeText(title)}</h1>${main}</main>${dress ? dressFoot(dress) : ''}</body></html>
`;
}

const DARK = '--text:#ddd;--page:#181818;--line:#444;--link:#8ab8ff';

/** The style of all pages: no font and no picture from another host, wide tables scroll by themselves (on paper they are set smaller), dark if the reader prefers that. */
export const STYLE = `:root{color-scheme:light dark;--text:#222;--page:#fff;--line:#d5d5d5;--link:#0a4fa8}
@media(prefers-color-scheme:dark){html:not([data-theme=light]){${DARK}}}
[data-theme=light]{color-scheme:light}html[data-theme=dark]{color-scheme:dark;${DARK}}
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:var(--text);background:var(--page)}
body.wide{max-width:64rem;margin:2rem auto}
header img{vertical-align:middle;margin-right:.3rem}footer{margin-top:2rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}
h1,h2,dd{overflow-wrap:anywhere}
a{color:var(--link)}nav a{display:inline-block;margin-right:1rem}dt{font-weight:600}dd{margin:0 0 .75rem}
main>section code{font:.875rem/1.5 ui-monospace,monospace}.table{overflow-x:auto}
.table table{border-collapse:collapse;width:100%}
.table th,.table td{padding:.4rem .75rem .4rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
@media print{.table{font-size:.7rem}.table th,.table td{padding-right:.4rem}main>section td code{font-size:.65rem;overflow-wrap:anywhere}}`;

const styleOf = ({ dress }: Pick<Page, 'dress'>) => STYLE + (dress?.style ?? '');

/** The policy of pages (CSP, W3C): they may have their own style, of an operator a logo within the page, and nothing else. */
export function pagePolicy(page: Pick<Page, 'dress'>): string {
  const hash = createHash('sha256').update(styleOf(page)).digest('base64');
  const pictures = page.dress?.logo ? 'img-src data:;' : '';
  return `default-src 'none';style-src 'sha256-${hash}';${pictures}base-uri 'none';form-action 'none';frame-ancestors 'none'`;
}

export const PAGE_POLICY = pagePolicy({});

/** The policy of pictures: one that is opened by itself runs nothing, whatever an operator's logo holds. */
export const PICTURE_POLICY = "default-src 'none';style-src 'unsafe-inline';img-src data:;sandbox";

/** The policy of a page with a script: it may load from this service alone; the style may hold pictures. */
export const SCRIPT_POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/**
 * The policy of the portal's pages: style, script and pictures of this service alone, and forms to it. A browser applies
 * `form-action` to redirects too, so the page of a sign-in names the origin to which it leads in the end.
 */
export const portalPolicy = (formLeadsTo: string | undefined): string =>
  `default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';base-uri 'none';frame-ancestors 'none';form-action 'self'${formLeadsTo === undefined ? '' : ` ${formLeadsTo}`}`;
