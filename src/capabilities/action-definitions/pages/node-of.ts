import type { NodeReference } from '../domain/node.ts';

/** The store of a path from the root. */
const STORE = 'workspace://SpacesStore';

/**
 * The node that a reader writes: a reference such as `workspace://SpacesStore/company-home`, or a path such as
 * `/Company Home/Reports`. Undefined for none.
 */
export function nodeOf(text: string | undefined): NodeReference | undefined {
  const written = text?.trim() ?? '';
  if (written === '') return undefined;
  const [, store, id] = /^([^:/]+:\/\/[^/]+)\/(.+)$/s.exec(written) ?? [];
  if (store !== undefined && id !== undefined) return { store, id };
  const path = written.split('/').filter((name) => name !== '');
  return { store: STORE, path };
}
