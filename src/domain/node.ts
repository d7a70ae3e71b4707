/** A node: something in a content store that has a type and lies under a path. */
export interface Node {
  /** The store, such as `workspace://SpacesStore`. */
  readonly store: string;
  readonly id: string;
  /** In prefix form, such as `cm:folder`. */
  readonly type: string;
  /** Unique among its siblings, NFC, compared case-sensitively. */
  readonly name: string;
  /** The id of the node that it lies in, in the same store; nothing for the store's root. */
  readonly parent?: string | undefined;
}

/** What a call is scoped to: a node by its id, the root itself, or a node by the names on the way from the root. */
export type NodeReference =
  | { readonly store: string; readonly id: string }
  | { readonly store: string; readonly root: true }
  | { readonly store: string; readonly path: readonly string[] };

/** The store that every fresh service has, with the nodes that clients expect in it and their ids. */
export const SPACES_STORE = 'workspace://SpacesStore';

/** The nodes of a fresh store, so that scoped calls work at once. */
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

/** The most bytes in UTF-8 that a node's name has, as NFC. */
export const LONGEST_NODE_NAME = 1_024;

/** Names as they are kept and looked up. */
export function nodeName(text: string): string {
  // No node's: NFC leaves a byte for every three characters at least. Of marks that are out of order it takes time by the square.
  if (text.length > 3 * LONGEST_NODE_NAME) return text;
  return text.normalize('NFC');
}
