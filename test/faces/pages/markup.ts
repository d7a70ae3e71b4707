import assert from 'node:assert/strict';
import { type DefaultTreeAdapterMap, parse, parseFragment } from 'parse5';
import type { Html } from '../../../src/faces/pages/html.ts';

export type ParsedElement = DefaultTreeAdapterMap['element'];
type ParsedNode = DefaultTreeAdapterMap['childNode'];

/** The text in an element and below it. */
export const textOf = (node: ParsedNode): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

const within = (node: ParsedNode): ParsedElement[] => ('tagName' in node ? [node, ...elementsIn(node)] : []);

/** The elements in an element, the outer ones first. */
export const elementsIn = ({ childNodes }: Pick<ParsedElement, 'childNodes'>): ParsedElement[] =>
  childNodes.flatMap(within);

/** The elements in some markup as a browser reads them, the outer ones first. Only a whole page has `html` and `body`. */
export function elementsOf(markup: Html | string): ParsedElement[] {
  const text = String(markup);
  return elementsIn(text.startsWith('<!doctype') ? parse(text) : parseFragment(text));
}

/** The text of some markup. */
export const textIn = (markup: Html | string): string =>
  parseFragment(String(markup)).childNodes.map(textOf).join('');

/** The value of an attribute; undefined if the element lacks it. */
export const attributeOf = ({ attrs }: ParsedElement, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

type Attributes = Readonly<Record<string, string>>;

/** The elements with this name and these attributes in some markup or in an element. */
export function elementsNamed(
  within: Html | string | ParsedElement,
  name: string,
  attributes: Attributes = {},
): ParsedElement[] {
  const elements =
    typeof within === 'object' && 'childNodes' in within ? elementsIn(within) : elementsOf(within);
  return elements.filter(
    (element) =>
      element.tagName === name &&
      Object.entries(attributes).every(([attribute, value]) => attributeOf(element, attribute) === value),
  );
}

/** The only element with this name and these attributes. Fails if there is none, or more than one. */
export function onlyElement(...place: Parameters<typeof elementsNamed>): ParsedElement {
  const [element, ...others] = elementsNamed(...place);
  const [within, name, attributes = {}] = place;
  assert.ok(element && others.length === 0, `one ${name} with ${JSON.stringify(attributes)} in ${within}`);
  return element;
}
