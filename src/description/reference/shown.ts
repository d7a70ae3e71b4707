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

export const scriptShown = {
  schema: Type.String(),
  js: ({ text }: Asset) => text,
} satisfies Representation<Asset>;

export const styleShown = {
  schema: Type.String(),
  css: ({ text }: Asset) => text,
} satisfies Representation<Asset>;
