import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
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

/** The elements in some markup as a browser reads them, the outer ones first. */
export const elementsOf = (markup: Html | string): ParsedElement[] =>
  elementsIn(parseFragment(String(markup)));

/** The text of some markup. */
export const textIn = (markup: Html | string): string =>
  parseFragment(String(markup)).childNodes.map(textOf).join('');

/** The value of an attribute; undefined if the element lacks it. */
export const attributeOf = ({ attrs }: ParsedElement, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;
