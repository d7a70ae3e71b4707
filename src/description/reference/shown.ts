import type { Representation } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';
import { linksOf } from '../index/links.ts';
import { type Asset, referenceScript, referenceStyle, WITHIN } from './assets.ts';

/** Where the caller of the reference came in. */
export interface ReferenceShown {
  readonly basePath: string;
}

/** The page of the reference, which is made from the OpenAPI document by a script. */
export const referenceShown = {
  schema: Type.String(),
  html: ({ basePath }: ReferenceShown) => ({
    title: 'API reference',
    links: linksOf(basePath),
    rows: [],
    made: {
      style: `${basePath}/reference/style.css?tag=${referenceStyle().tag}`,
      script: `${basePath}/reference/script.js?tag=${referenceScript().tag}`,
      within: WITHIN,
      otherwise: 'This page needs a script. The index says the same without one.',
    },
  }),
} satisfies Representation<ReferenceShown>;

/** What names the text that is wanted: while versions run side by side, the one that is asked may have another. */
export const tagged = Type.Object({
  tag: Type.Optional(
    Type.String({ description: 'As the page has it. The text is kept for a year under its own alone.' }),
  ),
});

export const scriptShown = {
  schema: Type.String(),
  js: ({ text }: Asset) => text,
} satisfies Representation<Asset>;

export const styleShown = {
  schema: Type.String(),
  css: ({ text }: Asset) => text,
} satisfies Representation<Asset>;
