import type { AnyOperation } from '../../src/operation.ts';
import { portal } from '../../src/portal/portal.ts';

/** Pages that show nothing: they lead to others. */
export const LEADING: readonly string[] = ['/'];

/** What stands for each name in a path: the people and groups of `docs/pictures/example-service.ts`. */
const NAMES: Readonly<Record<string, string>> = { userName: 'ben', group: 'editors' };

/** Pages whose address needs more than {@link NAMES}: the path of the page and that of its example, below `/portal`. */
const EXAMPLES: Readonly<Record<string, string>> = {};

/** Pages that are shown to whoever reads them, and the addresses at which tests look at them. */
export const pagesShown = (): readonly AnyOperation[] =>
  portal.pages.filter(
    ({ method, defaultFormat, api, paths }) =>
      method === 'GET' &&
      defaultFormat === 'html' &&
      api?.basePaths?.includes('/portal') === true &&
      !LEADING.includes(paths[0] ?? ''),
  );

/** The address of an example of a page; undefined if there is none. */
export function exampleOf({ paths }: AnyOperation): string | undefined {
  const [path] = paths as [string];
  const address = EXAMPLES[path] ?? path.replace(/\{(\w+)\}/g, (whole, name) => NAMES[name] ?? whole);
  return address.includes('{') ? undefined : `/portal${address}`;
}

/** Who looks at a page: the user of the example service; undefined before a sign-in. */
export function readerOf({ authentication }: AnyOperation): string | undefined {
  if (authentication === 'none') return undefined;
  return authentication === 'admin' ? 'admin' : 'anna';
}
