import type { Format } from '../../src/core/representations/representation.ts';

/** Replaces tickets and times, which differ between answers. */
const steady = (value: string) =>
  value.replace(/TICKET_[0-9a-f]{40}/g, 'TICKET').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  // What is unknown is null in JSON, and an empty element in XML.
  return value === '' || value === null ? [] : [String(value)];
}

const unescaped = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as string] as string,
  );

const texts = (document: string) =>
  [...document.matchAll(/>([^<>]+)</g)].map(([, text]) => unescaped(text as string).trim());

function valuesInPage(document: string): string[] {
  // An operation may answer html with the JSON body.
  if (document.startsWith('{')) return leaves(JSON.parse(document));
  // A page has labels beside its values. The heading has the status code with its name.
  const values = [...document.matchAll(/<(dd|td|pre)\b[^>]*>(.*?)<\/\1>/gs)]
    .flatMap(([, , inner = '']) => inner.replaceAll('<wbr>', '').split(/<[^>]*>/))
    .filter((text) => text !== '')
    .map(unescaped);
  const [, code, name] = /<h1>(\d+) ([^<]*)<\/h1>/.exec(document) ?? [];
  return [...values, ...(code === undefined ? [] : [code, name as string])];
}

/** How to find values in each format. Undefined for formats that describe or load something else. */
const READERS: Readonly<Record<Format, ((document: string) => string[]) | undefined>> = {
  json: (document) => leaves(JSON.parse(document)),
  xml: (document) => texts(document).filter((text) => text !== ''),
  html: valuesInPage,
  schema: undefined,
  js: undefined,
  css: undefined,
  csv: undefined,
  svg: undefined,
  stream: undefined,
};

/** The values in a document, sorted. Undefined if its format shows none. */
export function valuesIn(document: string, format: Format): string[] | undefined {
  return READERS[format]?.(document).map(steady).sort();
}
