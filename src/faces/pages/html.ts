import { escapeText } from '../../core/http/formats.ts';

/** Markup. Only `html` makes it, so text of a user never becomes markup. */
class Markup {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** Markup that `html` has made. `String(it)` is its text. */
export type Html = Markup;

/** A value in a template of `html`. The items of a list follow one another; undefined, true and false show nothing. */
export type HtmlValue = string | number | boolean | undefined | Html | readonly HtmlValue[];

/** The place of a value in a template. */
interface Hole {
  /** The attribute whose value it is part of; undefined between elements. */
  readonly attribute: string | undefined;
  /** Whether the attribute's value begins with it. */
  readonly isFirst: boolean;
  /** Whether it is all of the attribute's value: the attribute can be left out. */
  readonly isWhole: boolean;
}

/** A template, read once: its literal texts, and the holes between them. */
interface Template {
  readonly literals: readonly string[];
  readonly holes: readonly Hole[];
}

/** Attributes whose value is an address. */
const ADDRESSES = /^(href|src|action|formaction|hx-(get|post)|data-[\w-]*url)$/;
/**
 * An address on this host, a place on this page, a whole address of the web, or a key for an authenticator app: never a script. Browsers skip tabs and line
 * breaks in addresses, so behind the first slash one would hide a second slash.
 */
const ADDRESS = /^(\/(?![/\\\t\n\r])|\?|#|https?:\/\/|otpauth:\/\/)/;
/** Attributes that hold code or style, which the content security policy refuses. */
const REFUSED = /^(on.*|style|srcdoc)$/;

const BEGINS_ATTRIBUTE = /\s([a-z][\w:-]*)="([^"]*)$/;

function fault(before: string, why: string): never {
  throw new Error(`html: ${why}, after ${JSON.stringify(before.slice(-40))}`);
}

type State = 'text' | 'tag' | 'value';

/** Reads literal text from this state on, and returns the state behind it. `before` is all text of the template so far. */
function readLiteral(literal: string, from: State, before: string): State {
  let state = from;
  for (const [at, character] of [...literal].entries()) {
    const seen = () => before + [...literal].slice(0, at + 1).join('');
    if (state === 'text' && character === '<') state = 'tag';
    else if (state === 'tag' && character === '>') state = 'text';
    else if (state === 'tag' && character === '"')
      state = BEGINS_ATTRIBUTE.test(seen()) ? 'value' : fault(seen(), 'a quote begins no attribute');
    else if (state === 'tag' && /['<]/.test(character)) fault(seen(), `a tag cannot hold ${character}`);
    else if (state === 'value' && character === '"') state = 'tag';
  }
  const all = before + literal;
  if (state === 'tag' && /=\s*$/.test(all)) fault(all, 'an attribute has no quotes');
  if (/<(script|style)\b[^>]*>[^<]+/i.test(all) || /<(style|!--)/i.test(all))
    fault(all, 'code and style stand in assets, and comments in sources');
  return state;
}

/** The hole behind this text of a template. */
function holeAfter(before: string, state: State, next: string): Hole {
  if (state === 'tag') fault(before, 'a value stands in a tag outside quotes');
  if (state === 'text') {
    if (/<script\b[^>]*>$/i.test(before)) fault(before, 'a value stands in a script');
    return { attribute: undefined, isFirst: false, isWhole: false };
  }
  const [, attribute = '', value = ''] = BEGINS_ATTRIBUTE.exec(before) ?? [];
  if (REFUSED.test(attribute)) fault(before, 'the policy refuses this attribute');
  const isFirst = value === '';
  return { attribute, isFirst, isWhole: isFirst && next.startsWith('"') };
}

/** Stands for a value while the text around it is read. It is neither markup nor empty. */
const STAND_IN = '\u{FFFC}';

function read(texts: readonly string[]): Template {
  const literals = [...texts];
  const holes: Hole[] = [];
  let state: State = 'text';
  let before = '';
  for (const [at, text] of texts.entries()) {
    state = readLiteral(text, state, before);
    before += text;
    const next = texts[at + 1];
    if (next === undefined) break;
    const hole = holeAfter(before, state, next);
    if (hole.isWhole) {
      literals[at] = (literals[at] as string).replace(BEGINS_ATTRIBUTE, '');
      literals[at + 1] = next.slice(1);
    }
    holes.push(hole);
    before += STAND_IN;
  }
  if (state !== 'text') fault(before, 'a tag does not end');
  return { literals, holes };
}

/** Templates that were used already: the same place in a source always gives the same texts. */
const templates = new WeakMap<TemplateStringsArray, Template>();

function templateOf(texts: TemplateStringsArray): Template {
  const cached = templates.get(texts);
  if (cached !== undefined) return cached;
  const template = read(texts);
  templates.set(texts, template);
  return template;
}

function textOf(value: HtmlValue): string {
  if (value instanceof Markup) return value.toString();
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value === undefined || typeof value === 'boolean' ? '' : escapeText(String(value));
}

function attributeText(hole: Hole, value: HtmlValue): string {
  if (typeof value === 'object') throw new Error(`html: an attribute cannot hold markup: ${hole.attribute}`);
  const { attribute = '', isFirst, isWhole } = hole;
  if (value === undefined || value === false) return '';
  const text = value === true ? '' : String(value);
  if (isFirst && ADDRESSES.test(attribute) && !ADDRESS.test(text))
    throw new Error(
      `html: ${attribute} is an address on this host or of the web, not ${JSON.stringify(text)}`,
    );
  return isWhole ? ` ${attribute}="${escapeText(text)}"` : escapeText(text);
}

/**
 * Markup from a template. Every value is escaped, so that no text changes the markup, and stands between elements or in an
 * attribute in double quotes. An attribute whose whole value is undefined or false is left out; `true` leaves it empty.
 * Throws if a template holds a value elsewhere, and if an address is one that runs a script.
 */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const { literals, holes } = templateOf(texts);
  let text = literals[0] as string;
  for (const [at, value] of values.entries()) {
    const hole = holes[at] as Hole;
    text += hole.attribute === undefined ? textOf(value) : attributeText(hole, value);
    text += literals[at + 1];
  }
  return new Markup(text);
}
