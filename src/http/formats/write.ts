import type { Format, Representation } from '../../representations/representation.ts';
import { htmlDocument } from './html.ts';
import { xmlDocument } from './xml.ts';

/** The media type of each format, to the byte as clients compare it. */
export const MEDIA_TYPES: Record<Format, string> = {
  xml: 'text/xml;charset=UTF-8',
  json: 'application/json;charset=UTF-8',
  html: 'text/html;charset=UTF-8',
};

/** The body that shows `value` in `format`; the representation has to offer it. */
export function write<V>(representation: Representation<V>, value: V, format: Format): string {
  if (format === 'xml' && representation.xml) return xmlDocument(representation.xml(value));
  if (format === 'html' && representation.html) return htmlDocument(representation.html(value));
  return JSON.stringify(representation.json(value));
}
