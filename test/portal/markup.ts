import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import type { Html } from '../../src/portal/html.ts';

type ParsedElement = DefaultTreeAdapterMap['element'];
type ParsedNode = DefaultTreeAdapterMap['childNode'];

/** The text in an element and below it. */
export const textOf = (node: ParsedNode): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

/** The elements in some markup as a browser reads them, the outer ones first. */
export function elementsOf(markup: Html | string): ParsedElement[] {
  const below = (node: ParsedNode): ParsedElement[] =>
    'tagName' in node ? [node, ...node.childNodes.flatMap(below)] : [];
  return parseFragment(String(markup)).childNodes.flatMap(below);
}

/** The value of an attribute; undefined if the element lacks it. */
export const attributeOf = ({ attrs }: ParsedElement, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;
