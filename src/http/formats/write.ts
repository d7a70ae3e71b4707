import type { Format, Representation } from '../../representations/representation.ts';
import { htmlDocument } from './html.ts';
import { xmlDocument } from './xml.ts';

/** The media type of each format, to the byte as clients compare it. */
export const MEDIA_TYPES: Record<Format, string> = {
  xml: 'text/xml;charset=UTF-8',
  json: 'application/json;charset=UTF-8',
  html: 'text/html;charset=UTF-8',
  schema: 'application/schema+json',
  js: 'text/javascript;charset=UTF-8',
  css: 'text/css;charset=UTF-8',
};

type FormatWriter = <V>(representation: Representation<V>, value: V) => string | undefined;

const WRITERS: Record<Format, FormatWriter> = {
  xml: ({ xml }, value) => xml && xmlDocument(xml(value)),
  json: ({ json, jsonText }, value) => jsonText?.(value) ?? (json && JSON.stringify(json(value))),
  html: ({ html }, value) => html && htmlDocument(html(value)),
  schema: ({ jsonSchema }, value) => jsonSchema && JSON.stringify(jsonSchema(value)),
  js: ({ js }, value) => js?.(value),
  css: ({ css }, value) => css?.(value),
};

/** The body that shows `value` in `format`; throws when the representation does not offer it. */
export function write<V>(representation: Representation<V>, value: V, format: Format): string {
  const body = WRITERS[format](representation, value);
  if (body === undefined) throw new Error(`there is no ${format} of it`);
  return body;
}
