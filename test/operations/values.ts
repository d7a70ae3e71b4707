import type { Format } from '../../src/representations/representation.ts';

/** What differs from answer to answer: tickets and times. */
const steady = (value: string) =>
  value.replace(/TICKET_[0-9a-f]{40}/g, 'TICKET').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return value === '' ? [] : [String(value)];
}

const unescaped = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as string] as string,
  );

const texts = (document: string) =>
  [...document.matchAll(/>([^<>]+)</g)].map(([, text]) => unescaped(text as string).trim());

function valuesInPage(document: string): string[] {
  // A page has labels beside its values, and the status code stands with its name in the heading.
  const values = [...document.matchAll(/<(dd|td|pre)\b[^>]*>(.*?)<\/\1>/gs)]
    .flatMap(([, , inner = '']) => inner.replaceAll('<wbr>', '').split(/<[^>]*>/))
    .filter((text) => text !== '')
    .map(unescaped);
  const [, code, name] = /<h1>(\d+) ([^<]*)<\/h1>/.exec(document) ?? [];
  return [...values, ...(code === undefined ? [] : [code, name as string])];
}

/** How values are found in each format; nothing where a format describes or loads something in place of showing it. */
const READERS: Readonly<Record<Format, ((document: string) => string[]) | undefined>> = {
  json: (document) => leaves(JSON.parse(document)),
  xml: (document) => texts(document).filter((text) => text !== ''),
  html: valuesInPage,
  schema: undefined,
  js: undefined,
  css: undefined,
};

/** The values in a document, in a steady order; nothing where its format shows none. */
export function valuesIn(document: string, format: Format): string[] | undefined {
  return READERS[format]?.(document).map(steady).sort();
}
