import type { TObject, TSchema } from 'typebox';
import type { PageLook } from '../domain/brand.ts';
import type { PasswordFault } from '../domain/password-fault.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { Role } from '../domain/role.ts';
import { Type } from '../schema.ts';

/** An XML element: its name, and its text or its children. Text is escaped when it is written. */
export type XmlElement = readonly [name: string, content: string | readonly XmlElement[]];

/** A text on a page. `to` makes it a link; `code` shows it unchanged, in a fixed-width font. */
export type PageText = string | { readonly text: string; readonly to?: string; readonly code?: true };

/** A table on a page: its headings, and its rows. A cell has one or several texts. */
export interface PageTable {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (PageText | readonly PageText[])[])[];
}

/** A section of a page: a table with its own heading. */
export interface PageSection {
  readonly heading: string;
  readonly table: PageTable;
}

/** What a page shows of the operator, if it loads nothing. */
export interface PageDress {
  /** The name above the page; empty for none. */
  readonly name: string;
  /** The text of the logo, an SVG; empty for none. */
  readonly logo: string;
  /** Colours, added to the style of the page. */
  readonly style: string;
  /** The scheme that the reader chose. */
  readonly theme: 'light' | 'dark' | undefined;
  /** Links at the foot of the page. */
  readonly links: readonly PageText[];
}

/** A page in a browser: a heading, rows of a label and a text, and sections. */
export interface Page {
  readonly title: string;
  /** The language of its texts; English if it is not named. */
  readonly language?: string;
  readonly dress?: PageDress;
  /** Links to other pages. */
  readonly links?: readonly PageText[];
  readonly rows: readonly (readonly [label: string, text: PageText | readonly PageText[]])[];
  readonly sections?: readonly PageSection[];
  /**
   * For a page that a script makes: the addresses of style and script, the id of its element, and the text shown
   * without scripts.
   */
  readonly assets?: Readonly<Record<'style' | 'script' | 'within' | 'otherwise', string>>;
}

/** A button on the sign-in page that leads to an identity provider. */
export interface SignInButton {
  /** The id of the provider. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
}

/** A refusal that a page shows. */
export interface RefusedRequest {
  readonly refused: RefusalCode;
  readonly status: number;
  /** The English sentence, without secrets. */
  readonly message: string;
  /** The details of this case. */
  readonly detail: string | undefined;
  /** The fault of a new password. */
  readonly passwordFault: PasswordFault | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;
  /** The name of the user who is signed in. */
  readonly user: string | undefined;
  /** The role of that user; undefined if it has none, or the page needs none. */
  readonly role: Role | undefined;
  /** The CSRF token for the forms of that user's pages. */
  readonly formToken: string | undefined;
  /** The path of the page, as it was asked for. */
  readonly path: string;
  /** The values in the form. A page never shows a password again. */
  readonly form: Readonly<Record<string, string>>;
  /** The reader's preferred one of these languages. */
  languageAmong(languages: readonly string[]): string | undefined;
  /** How pages look in the browser. */
  readonly browser: PageLook;
  /** How the browser reached the service, such as `https://tickets.example.org`. */
  readonly origin: string;
  /** Hosts, besides that one, to which a sign-in may lead. */
  readonly returnHosts: readonly string[];
  /** The identity providers on the sign-in page. */
  readonly signInButtons: readonly SignInButton[];
  readonly requestId: string;
}

/** Makes the page that shows a refusal: its whole text, and the origin to which its form leads (`formLeadsTo`). */
export type ShowRefused = (refused: RefusedRequest) => {
  readonly text: string;
  readonly formLeadsTo?: string | undefined;
};

/** One message of a stream. After a lost connection a client continues behind its `id`. */
export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  /** Sent as JSON. */
  readonly data: object;
}

/**
 * How a value is written in each format. An operation does not offer a format that is missing here. `xml`, `json` and
 * `html` carry the same values.
 */
export interface Representation<V> {
  /** The JSON Schema of the JSON body. */
  readonly schema: TSchema;
  /** The schema of the XML body if its structure differs: JSON Schema with OpenAPI's `xml` (3.1.1, section 4.8.26). */
  readonly xmlSchema?: TSchema;
  /** Whether answers have no body, whatever the format. */
  readonly isEmpty?: true;
  readonly json?: (value: V) => unknown;
  /** The text of the JSON body, if clients depend on its layout. Without it, JSON has no white space. */
  readonly jsonText?: (value: V) => string;
  readonly xml?: (value: V) => XmlElement;
  readonly html?: (value: V) => Page;
  /** The whole text of a page that is not made from a {@link Page}. */
  readonly htmlText?: (value: V) => string;
  /** The origin, besides that of the service, to which the page's form may lead in the end (CSP `form-action`). */
  readonly formLeadsTo?: (value: V) => string | undefined;
  /** The page that shows a refused form again, with what was given and the reason. */
  readonly refusedHtml?: ShowRefused;
  /** Whether the format html is the JSON body too, which the reference sends so to old clients. */
  readonly jsonAsHtml?: true;
  /** Values that every format sends in headers, and the schema of these headers. */
  readonly headers?: {
    readonly schema: TObject;
    readonly of: (value: V) => Readonly<Record<string, string>>;
  };
  /** The JSON Schema of what the value describes. */
  readonly jsonSchema?: (value: V) => object;
  /**
   * The part of the value that a change can replace: an API key without its last use, which moves by itself. `If-Match`
   * compares this part alone; the `ETag` is that of the whole body.
   */
  readonly state?: (value: V) => object;
  /** The text of a script, a style or a picture. */
  readonly js?: (value: V) => string;
  readonly css?: (value: V) => string;
  readonly svg?: (value: V) => string;
  /** The lines of a part of a file with comma-separated values (RFC 4180). */
  readonly csv?: (value: V) => string;
  /** The messages of a part of a stream (server-sent events, HTML standard section 9.2). */
  readonly stream?: (value: V) => readonly StreamMessage[];
}

/** No value: answers have no body. Their refusals are written as JSON. */
export const nothingShown = {
  schema: Type.Undefined(),
  isEmpty: true,
  json: () => undefined,
} satisfies Representation<unknown>;

/** The member that writes each response format. The specification, section 2, names formats by their extension. */
const SHAPES = {
  xml: 'xml',
  json: 'json',
  html: 'html',
  schema: 'jsonSchema',
  js: 'js',
  css: 'css',
  csv: 'csv',
  svg: 'svg',
  stream: 'stream',
} as const satisfies Record<string, keyof Representation<never>>;

export type Format = keyof typeof SHAPES;

const FORMATS = Object.keys(SHAPES) as Format[];

/** The formats that a representation offers. */
export function formatsOf(representation: Representation<never>): readonly Format[] {
  const { jsonAsHtml } = representation;
  const shapeOf = (format: Format) => (format === 'html' && jsonAsHtml ? 'json' : SHAPES[format]);
  return FORMATS.filter(
    (format) => representation[shapeOf(format)] || (format === 'html' && representation.htmlText),
  );
}
