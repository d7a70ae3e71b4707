import type { TSchema } from 'typebox';

/** An XML element: its name, and its text or its children. Text is escaped when it is written. */
export type XmlElement = readonly [name: string, content: string | readonly XmlElement[]];

/** A page for people: a heading, and rows of a label with its text. */
export interface Page {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, text: string])[];
}

/**
 * In what shapes a value is shown. Every shape carries the same values; a shape that is missing is a format
 * that the operation does not offer.
 */
export interface Representation<V> {
  /** The JSON body, as JSON Schema. */
  readonly schema: TSchema;
  readonly json: (value: V) => unknown;
  readonly xml?: (value: V) => XmlElement;
  readonly html?: (value: V) => Page;
  /** What is told in headers, whatever the format: names in lower case. */
  readonly headers?: (value: V) => Readonly<Record<string, string>>;
}

/** A response format: `service.md` section 2 names them by their extension. */
export type Format = 'xml' | 'json' | 'html';

/** The formats in which a representation can be had. */
export function formatsOf(representation: Representation<never>): readonly Format[] {
  return (['xml', 'json', 'html'] as const).filter((format) => representation[format] !== undefined);
}
