import { attributeOf, elementsIn, elementsOf, type ParsedElement, textIn, textOf } from './markup.ts';

/** A link, with its text and the address that it leads to. */
interface ReadLink {
  readonly text: string;
  readonly to: string;
}

/** What somebody finds on a page. Its texts are as a browser shows them: several blanks are one. */
export interface ReadPage {
  readonly text: string;
  /** The text of its heading. */
  readonly heading: string;
  /** What stands out, each with its tone and its first paragraph. */
  readonly notices: readonly { readonly tone: string; readonly text: string }[];
  /** The reasons above a form, each with the name of the field that it leads to. */
  readonly faults: readonly { readonly field: string; readonly text: string }[];
  /** What is wrong, as it stands at each field, by the names of the fields. */
  readonly fieldFaults: ReadonlyMap<string, string>;
  /** The values that its lists of facts have, by their names. */
  readonly facts: ReadonlyMap<string, string>;
  /** The cells of the rows of its tables, without those of the headings of columns. */
  readonly rows: readonly (readonly string[])[];
  readonly links: readonly ReadLink[];
  /** The address of the next page of a list; undefined on the last one. */
  readonly next: string | undefined;
  /** A text that is shown to be copied, such as a new password. */
  readonly copied: string | undefined;
}

const withSingleBlanks = (text: string) => text.replace(/\s+/g, ' ').trim();
const shownIn = (element: ParsedElement) => withSingleBlanks(textOf(element));

const classesOf = (element: ParsedElement) => attributeOf(element, 'class')?.split(' ') ?? [];

const linkOf = (element: ParsedElement): ReadLink => ({
  text: shownIn(element),
  to: attributeOf(element, 'href') ?? '',
});

/** The name of the field that an element says a fault of; undefined for any other element. */
const faultyFieldOf = (element: ParsedElement) =>
  /^field-(.*)-fault$/.exec(attributeOf(element, 'id') ?? '')?.[1];

function factsIn(elements: readonly ParsedElement[]): ReadonlyMap<string, string> {
  const names = elements.filter(({ tagName }) => tagName === 'dt');
  const values = elements.filter(({ tagName }) => tagName === 'dd');
  return new Map(names.map((name, at) => [shownIn(name), shownIn(values[at] ?? name)]));
}

/** Reads a page, or a part of one, as a browser does. */
export function readPage(markup: string): ReadPage {
  const elements = elementsOf(markup);
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const withClass = (name: string) => elements.filter((element) => classesOf(element).includes(name));
  const links = named('a').map(linkOf);
  const next = named('a').find((link) => attributeOf(link, 'rel') === 'next');
  const [copied] = withClass('copy').flatMap(elementsIn);
  const rows = named('tr').filter(({ parentNode }) => parentNode?.nodeName !== 'thead');
  return {
    text: withSingleBlanks(textIn(markup)),
    heading: named('h1').map(shownIn).join(),
    notices: withClass('notice').map((notice) => ({
      tone: classesOf(notice).find((name) => name !== 'notice') ?? '',
      text: shownIn(elementsIn(notice).find(({ tagName }) => tagName === 'p') ?? notice),
    })),
    faults: withClass('notice')
      .filter((notice) => classesOf(notice).includes('bad'))
      .flatMap(elementsIn)
      .filter(({ tagName }) => tagName === 'a')
      .map(linkOf)
      .map(({ text, to }) => ({ field: to.replace('#field-', ''), text })),
    fieldFaults: new Map(
      elements.flatMap((element) => {
        const field = faultyFieldOf(element);
        return field === undefined ? [] : [[field, shownIn(element)] as const];
      }),
    ),
    facts: factsIn(elements),
    rows: rows.map((row) =>
      elementsIn(row)
        .filter(({ tagName }) => /^t[hd]$/.test(tagName))
        .map(shownIn),
    ),
    links,
    next: next && attributeOf(next, 'href'),
    copied: copied && shownIn(copied),
  };
}
