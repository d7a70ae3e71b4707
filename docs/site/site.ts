import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { escapeText } from '../../src/core/http/formats.ts';
import { VERSION } from '../../src/core/version.ts';
import { assetOf } from '../../src/faces/pages/assets.ts';
import { placeOf, plain, type RenderedPage, ROOT, renderPage } from './markdown.ts';

const textOf = (url: URL | string) => readFileSync(fileURLToPath(url), 'utf8');

/** Every file that becomes a page. */
const FILES = [
  ...globSync('docs/**/*.md', { cwd: fileURLToPath(ROOT) }),
  ...['README', 'ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY'].map((name) => `${name}.md`),
  'conformance/README.md',
  'deploy/README.md',
].sort();

const MAIN = 'this-page';

/** The links of the header, with the files that they lead to. */
const NAVIGATION = [
  ['All pages', 'docs/README.md'],
  ['Settings', 'docs/reference/settings.md'],
  ['Specification', 'docs/specification/README.md'],
] as const;

const titleOf = ({ sections }: RenderedPage) => plain(sections[0]?.heading ?? '');

/** The sections of a page, beside it. */
function sectionsBeside({ sections }: RenderedPage): string {
  const links = sections
    .filter(({ level }) => level === 2)
    .map(({ heading, anchor }) => `<a href="#${anchor}">${escapeText(plain(heading))}</a>`);
  return links.length < 2 ? '' : `<nav class="side" aria-label="On this page">${links.join('\n')}</nav>\n`;
}

/** A whole page. `base` leads to the root of the site. */
function pageText(place: string, page: RenderedPage, base: string): string {
  const links = NAVIGATION.map(([text, file]) => {
    const to = placeOf(file);
    return `<a href="${base}${to}"${to === place ? ' aria-current="page"' : ''}>${text}</a>`;
  });
  const beside = sectionsBeside(page);
  const main = `<main id="${MAIN}" tabindex="-1">\n${page.body}</main>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(titleOf(page))} · Tessera</title>
<link rel="icon" type="image/svg+xml" href="${base}mark.svg">
<link rel="stylesheet" href="${base}style.css">
<script type="module" src="${base}search.js"></script></head>
<body class="documents"><a class="skip" href="#${MAIN}">Skip to the content</a>
<header class="site"><a class="mark" href="${base}index.html"><img src="${base}mark.svg" width="28" height="28" alt=""> <span class="name">Tessera</span></a>
<nav class="site-nav" aria-label="Documents">${links.join('\n')}</nav>
<form role="search" action="${base}index.html"><label class="unseen" for="search-the-pages">Search</label><input id="search-the-pages" type="search" name="q" placeholder="Search" autocomplete="off"></form></header>
${beside === '' ? main : `<div class="columns">${beside}${main}</div>`}
<footer class="foot">Tessera ${VERSION}</footer></body></html>
`;
}

/** What is shown at an address without a page. It stands below no folder, so its links begin at the root of the service. */
const NOT_FOUND: RenderedPage = {
  sections: [{ level: 1, heading: 'There is no such page', anchor: '', text: '' }],
  body: '<h1>There is no such page</h1>\n<p>Search for it, or look through <a href="/docs/index.html">all pages</a>.</p>\n',
  files: [],
};

const INDEXED = { fields: ['heading', 'text'], storeFields: ['heading', 'page', 'to'] };

/** The index of the search: each section is found by itself. */
function searchIndex(pages: ReadonlyMap<string, RenderedPage>): string {
  const index = new MiniSearch(INDEXED);
  let id = 0;
  for (const [file, page] of pages)
    for (const { heading, anchor, text } of page.sections)
      index.add({
        id: id++,
        heading: plain(heading),
        page: titleOf(page),
        text,
        to: `${placeOf(file)}#${anchor}`,
      });
  return JSON.stringify({ options: INDEXED, index });
}

/** The library of the search with its licence, which asks for a notice wherever it is copied. */
function searchLibrary(): string {
  const library = new URL(import.meta.resolve('minisearch'));
  const licence = textOf(new URL('../../LICENSE.txt', library)).trim();
  return `/*\n${licence}\n*/\n${textOf(library).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')}`;
}

/**
 * Writes the documents as a site that any web server can serve: their pages, the files to which they lead, and a search that needs
 * no server. `files.json` lists all of it. What was in the folder is removed. Returns the places of all files in it.
 */
export function writeSite(folder: string): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  const written: string[] = [];
  const toWrite = (place: string) => {
    written.push(place);
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    return join(folder, place);
  };
  const all = new Set(FILES);
  const pages = new Map(FILES.map((file) => [file, renderPage(file, all)]));
  for (const [file, page] of pages) {
    const place = placeOf(file);
    const base = posix.relative(posix.dirname(place), '.');
    writeFileSync(toWrite(place), pageText(place, page, base === '' ? '' : `${base}/`));
  }
  for (const file of new Set([...pages.values()].flatMap(({ files }) => files)))
    cpSync(new URL(file, ROOT), toWrite(placeOf(file)));
  const texts = {
    '404.html': pageText('404.html', NOT_FOUND, '/docs/'),
    'mark.svg': assetOf('mark').text,
    'style.css': assetOf('style').text + textOf(new URL('site.css', import.meta.url)),
    'search.js': textOf(new URL('search.js', import.meta.url)),
    'minisearch.js': searchLibrary(),
    'search.json': searchIndex(pages),
  };
  for (const [place, text] of Object.entries(texts)) writeFileSync(toWrite(place), text);
  writeFileSync(join(folder, 'files.json'), JSON.stringify(written.sort()));
  return [...written, 'files.json'];
}

if (import.meta.main) writeSite(fileURLToPath(new URL('docs/html/', ROOT)));
