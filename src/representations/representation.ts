import type { TObject, TSchema } from 'typebox';
import { Type } from '../schema.ts';

/** An XML element: its name, and its text or its children. Text is escaped when it is written. */
export type XmlElement = readonly [name: string, content: string | readonly XmlElement[]];

/** A text on a page; with `to` it leads to that address, and with `code` it stands there letter by letter. */
export type PageText = string | { readonly text: string; readonly to?: string; readonly code?: true };

/** A table on a page: its headings, and rows of cells with one text or several. */
export interface PageTable {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (PageText | readonly PageText[])[])[];
}

/** A part of a page below a heading of its own. */
export interface PageSection {
  readonly heading: string;
  readonly table?: PageTable;
  /** Lines to paste, each block under its label. */
  readonly blocks?: readonly (readonly [label: string, lines: string])[];
}

/** A page for people: a heading, rows of a label with its text, and sections. */
export interface Page {
  readonly title: string;
  /** Where else to go. */
  readonly links?: readonly PageText[];
  readonly rows: readonly (readonly [label: string, text: PageText | readonly PageText[]])[];
  readonly sections?: readonly PageSection[];
  /** What is made by a script: where it and its style are, in which element it shows, and what is said without it. */
  readonly made?: Readonly<Record<'style' | 'script' | 'within' | 'otherwise', string>>;
}

/**
 * In what shapes a value is shown; one that is missing is a format that the operation does not offer. `xml`, `json`
 * and `html` carry the same values.
 */
export interface Representation<V> {
  /** The JSON body, as JSON Schema. */
  readonly schema: TSchema;
  /** The XML body, where it has another shape: JSON Schema with OpenAPI's `xml` (3.1.1, section 4.8.26). */
  readonly xmlSchema?: TSchema;
  /** Whether answers have no body, whatever the format. */
  readonly isEmpty?: true;
  readonly json?: (value: V) => unknown;
  /** The text of the JSON body, where clients depend on its layout; without it, JSON has no white space. */
  readonly jsonText?: (value: V) => string;
  readonly xml?: (value: V) => XmlElement;
  readonly html?: (value: V) => Page;
  /** What is told in headers, whatever the format, and those headers as JSON Schema. */
  readonly headers?: {
    readonly schema: TObject;
    readonly of: (value: V) => Readonly<Record<string, string>>;
  };
  /** A JSON Schema that whatever the value describes has to follow. */
  readonly jsonSchema?: (value: V) => object;
  /** The text of a script, or of a style, as browsers load it. */
  readonly js?: (value: V) => string;
  readonly css?: (value: V) => string;
}

/** No value at all: answers have no body. Their refusals are written as JSON. */
export const nothingShown = {
  schema: Type.Undefined(),
  isEmpty: true,
  json: () => undefined,
} satisfies Representation<unknown>;

/** Which shape each response format is: `service.md` section 2 names them by their extension. */
const SHAPES = {
  xml: 'xml',
  json: 'json',
  html: 'html',
  schema: 'jsonSchema',
  js: 'js',
  css: 'css',
} as const satisfies Record<string, keyof Representation<never>>;

export type Format = keyof typeof SHAPES;

const FORMATS = Object.keys(SHAPES) as Format[];

/** The formats in which a representation can be had. */
export function formatsOf(representation: Representation<never>): readonly Format[] {
  return FORMATS.filter((format) => representation[SHAPES[format]] !== undefined);
}
