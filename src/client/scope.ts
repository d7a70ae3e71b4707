import { ACTION_DEFINITIONS } from './routes.ts';
import { fill } from './target.ts';

/** What a list of action definitions is for: everything, one node, or the node at a path. */
export type Scope =
  | { readonly node?: never; readonly path?: never }
  /** Store and id, such as `workspace://SpacesStore/company-home`. */
  | { readonly node: string; readonly path?: never }
  /**
   * Names from the root: `Company Home/Sites`, or an array if a name has a slash in it. `store` is
   * `workspace://SpacesStore` by default.
   */
  | { readonly node?: never; readonly path: string | readonly string[]; readonly store?: string };

const STORE = /^([^:/]+):\/\/([^/]+)$/;
const NODE = /^([^:/]+:\/\/[^/]+)\/(.+)$/s;

function storeOf(store: string): { store_type: string; store_id: string } {
  const [, store_type, store_id] = STORE.exec(store) ?? [];
  if (store_type === undefined || store_id === undefined)
    throw new TypeError(`"${store}" is no store: write one such as workspace://SpacesStore`);
  return { store_type, store_id };
}

/** Store and id of a node. Throws a TypeError if the text does not name one. */
export function partsOfNode(node: string): { readonly store: string; readonly id: string } {
  const [, store = '', id] = NODE.exec(node) ?? [];
  if (id === undefined)
    throw new TypeError(`"${node}" is no node: write one such as workspace://SpacesStore/company-home`);
  return { store, id };
}

/** The path of the request for this scope. Throws a TypeError if the scope cannot be asked for. */
export function pathOf(scope: Scope): string {
  if (scope.node !== undefined && scope.path !== undefined)
    throw new TypeError('Give a node or a path, not both');
  if (scope.node !== undefined) {
    const { store, id } = partsOfNode(scope.node);
    return fill(ACTION_DEFINITIONS.node.path, { ...storeOf(store), id: id.split('/') });
  }
  if (scope.path === undefined) return ACTION_DEFINITIONS.all.path;
  const { path, store = 'workspace://SpacesStore' } = scope;
  const names = typeof path === 'string' ? path.split('/').filter((name) => name !== '') : path;
  if (names.length === 0)
    throw new TypeError("The path holds no name: begin with the root's, such as Company Home");
  return fill(ACTION_DEFINITIONS.path.path, { ...storeOf(store), id: names });
}
