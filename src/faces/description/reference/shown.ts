import type { Asset } from '../../../core/asset.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { linksOf } from '../index-shown.ts';
import { referenceScript, referenceStyle, WITHIN } from './assets.ts';

/** The base path that the caller of the reference used. */
interface ReferenceShown {
  readonly basePath: string;
}

/** The reference page. A script makes it from the OpenAPI document. */
export const referenceShown = {
  schema: Type.String(),
  html: ({ basePath }: ReferenceShown) => ({
    title: 'API reference',
    links: linksOf(basePath),
    rows: [],
    assets: {
      style: `${basePath}/reference/style.css?tag=${referenceStyle().tag}`,
      script: `${basePath}/reference/script.js?tag=${referenceScript().tag}`,
      within: WITHIN,
      otherwise: 'This page needs a script. The index says the same without one.',
    },
  }),
} satisfies Representation<ReferenceShown>;

/** The tag of the wanted text. While two versions run side by side, the instance that answers may have another text. */
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
