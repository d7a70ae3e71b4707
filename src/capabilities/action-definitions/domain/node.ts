/** A node of a content store: it has a type and a path. */
export interface Node {
  /** The store, such as `workspace://SpacesStore`. */
  readonly store: string;
  readonly id: string;
  /** In prefix form, such as `cm:folder`. */
  readonly type: string;
  /** Unique among its siblings, in NFC, case-sensitive. */
  readonly name: string;
  /** The id of the parent node in the same store; undefined for the root of the store. */
  readonly parent?: string | undefined;
}

/** The node that a call is scoped to: by its id, as the root, or by the names on the path from the root. */
export type NodeReference =
  | { readonly store: string; readonly id: string }
  | { readonly store: string; readonly root: true }
  | { readonly store: string; readonly path: readonly string[] };

declare module '../../../core/operation.ts' {
  interface ScopeNode extends Node {}
  interface ScopeReferences {
    readonly node: NodeReference;
  }
}

/** The store that every new service has. */
export const SPACES_STORE = 'workspace://SpacesStore';

/** The nodes of a new store, with the ids that clients expect, so that scoped calls work at once. */
export const WELL_KNOWN_NODES: readonly Node[] = [
  { store: SPACES_STORE, id: 'company-home', type: 'cm:folder', name: 'Company Home' },
  {
    store: SPACES_STORE,
    id: 'data-dictionary',
    type: 'cm:folder',
    name: 'Data Dictionary',
    parent: 'company-home',
  },
  { store: SPACES_STORE, id: 'guest-home', type: 'cm:folder', name: 'Guest Home', parent: 'company-home' },
  { store: SPACES_STORE, id: 'user-homes', type: 'cm:folder', name: 'User Homes', parent: 'company-home' },
  { store: SPACES_STORE, id: 'sites', type: 'st:sites', name: 'Sites', parent: 'company-home' },
];

/** The most bytes of a node's name, as NFC in UTF-8. */
export const LONGEST_NODE_NAME = 1_024;

/** The form in which names are stored and looked up. */
export function nodeName(text: string): string {
  // No node has such a name: NFC keeps at least a byte for three characters. Normalizing many unordered marks is quadratic.
  if (text.length > 3 * LONGEST_NODE_NAME) return text;
  return text.normalize('NFC');
}
