import type { Command } from 'commander';
import { WrongUsage } from '../../../faces/cli/failure.ts';
import { type NodeReference, SPACES_STORE } from '../domain/node.ts';

/** The options that name a node. */
export interface Where {
  readonly node?: string | undefined;
  readonly path?: string;
  readonly store?: string;
}

/** Adds the argument and the options that name a node. */
export function whereOptions(command: Command): Command {
  return command
    .argument('[node]', 'Store and id, such as workspace://SpacesStore/company-home.')
    .option('--path <path>', "Names from the root in place of an id, such as 'Company Home/Sites'.")
    .option('--store <store>', `Store of the path (default: ${SPACES_STORE})`);
}

/** The named node. Throws {@link WrongUsage} if none is named, or two. */
export function referenceIn({ node, path, store }: Where): NodeReference {
  if ((node === undefined) === (path === undefined))
    throw new WrongUsage('Name a node by STORE/ID or by --path.');
  if (path !== undefined) {
    const names = path.split('/').filter((name) => name !== '');
    if (names.length === 0)
      throw new WrongUsage(`--path: "${path}" holds no name: begin with the root's, such as 'Company Home'.`);
    return { store: store ?? SPACES_STORE, path: names };
  }
  if (store !== undefined) throw new WrongUsage('--store is that of a --path: STORE/ID has its own.');
  const parts = /^([^:/]+:\/\/[^/]+)\/(.+)$/s.exec(node ?? '');
  if (parts === null)
    throw new WrongUsage(`"${node}" is no node: write one such as workspace://SpacesStore/company-home.`);
  return { store: parts[1] as string, id: parts[2] as string };
}
