import type { Shown } from './asking.ts';

/** An element, with its text or its children. */
export interface Element {
  readonly name: string;
  text: string;
  readonly children: Element[];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#13': '\r',
};

/** Parses a document strictly. Throws if it is not well-formed, or has attributes or anything else unexpected. */
export function parse(sent: string): Element {
  // Every XML parser does this first (XML 1.0, section 2.11).
  const document = sent.replace(/\r\n?/g, '\n');
  if (!document.startsWith(DECLARATION) || !document.endsWith('>\n'))
    throw new Error(`no document: ${document}`);
  const top: Element = { name: '', text: '', children: [] };
  const open = [top];
  let at = DECLARATION.length;
  for (const [whole, text = '', slash, name = '', empty] of document
    .slice(at, -1)
    .matchAll(/([^<>]*)<(\/?)([A-Za-z][A-Za-z\d]*)(\/?)>/g)) {
    at += whole.length;
    const inner = open.at(-1) as Element;
    inner.text += text.replace(/&([^;]*);/g, (_, entity) => ENTITIES[entity] ?? `unknown entity ${entity}`);
    if (slash === '/') {
      if (inner.name !== name) throw new Error(`${name} ends in ${inner.name}`);
      open.pop();
      continue;
    }
    const element = { name, text: '', children: [] };
    inner.children.push(element);
    if (empty === '') open.push(element);
  }
  if (at !== document.length - 1 || open.length !== 1) throw new Error(`not well-formed: ${document}`);
  return top.children[0] as Element;
}

const leaves = (elements: readonly Element[]) => elements.map(({ name, text }) => [name, text] as const);

/** A definition in XML, converted to the shape of JSON. */
function definition({ name, children }: Element): Shown {
  if (name !== 'actionDefinition') throw new Error(`${name} is no definition`);
  const members = children.map((child) => {
    if (child.name === 'applicableTypes') return [child.name, child.children.map(({ text }) => text)];
    if (child.name !== 'parameterDefinitions') return [child.name, child.text];
    const parameters = child.children.map((parameter) => {
      const { multiValued, ...texts } = Object.fromEntries(leaves(parameter.children));
      return { ...texts, multiValued: multiValued === 'true' };
    });
    return [child.name, parameters];
  });
  return Object.fromEntries(members);
}

/** The definitions in an XML document, in the shape of JSON. */
export function definitionsIn(document: string): Shown[] {
  const { name, children } = parse(document);
  if (name !== 'actionDefinitions') throw new Error(`${name} is no list of definitions`);
  return children.map(definition);
}

/** The definition in an XML document, in the shape of JSON. */
export function definitionIn(document: string): Shown {
  return definition(parse(document));
}

/** The names of all elements of a document, in document order. */
export function elementsIn(document: string): string[] {
  const names = (element: Element): string[] => [element.name, ...element.children.flatMap(names)];
  return names(parse(document));
}
