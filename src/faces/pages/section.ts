import type { Html } from './html.ts';

/** A section of a page that capabilities fill. Sections stand by ascending `order`. */
export interface Section {
  readonly order: number;
  readonly html: Html;
}

/** The sections of a page in their order, one below the other. */
export const inOrder = (sections: readonly Section[]): readonly Html[] =>
  sections.toSorted((one, other) => one.order - other.order).map(({ html }) => html);
