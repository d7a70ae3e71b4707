import type { AnyOperation } from '../../../src/core/operation.ts';
import { CAPABILITIES } from '../../../src/main/capabilities.ts';
import { pagesWith } from '../../../src/main/pages.ts';

/** Pages that show nothing of their own: they lead to others, or refuse. */
export const LEADING: readonly string[] = [
  ...['/', '/signed-in/{provider}', '/signed-out/{provider}'],
  ...['/hand-over', '/hand-over/to'],
  // It is there only with a mail server.
  '/forgotten-password',
  // It shows a sign-in at an application that waits.
  '/applications/consent',
  '/console/{rest}',
];

/** What stands for a name in a path, by the segment before it: what `docs/pictures/example-service.ts` has. */
const NAMES: Readonly<Record<string, string>> = {
  users: 'ben',
  'lock-outs': 'ben',
  groups: 'editors',
  applications: 'grafana',
  clients: 'api-gateway',
  'api-keys': 'deploy',
  actions: 'copy',
};

const PAGES = await pagesWith(CAPABILITIES);

/** Arguments without which a page is not shown, by its path below `/portal`. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  '/account/app-passwords/remove': 'name=scanner',
  '/account/passkeys/remove': 'id=AAAA',
  '/console/users/{name}/end-ticket': 'of=00000000',
  '/console/users/{name}/remove-app-password': 'of=spreadsheet',
};

/** Pages that are shown to every reader, and the addresses at which tests look at them. */
export const pagesShown = (): readonly AnyOperation[] =>
  PAGES.filter(
    ({ method, defaultFormat, api, paths }) =>
      method === 'GET' &&
      defaultFormat === 'html' &&
      api?.basePaths?.includes('/portal') === true &&
      !LEADING.includes(paths[0] ?? ''),
  );

/** The address of an example of a page; undefined if there is none. */
export function exampleOf({ paths }: AnyOperation): string | undefined {
  const [path] = paths as [string];
  const named = path.replace(/([\w-]+)\/\{\w+\}/g, (whole, segment) =>
    segment in NAMES ? `${segment}/${NAMES[segment]}` : whole,
  );
  if (named.includes('{')) return undefined;
  return `/portal${named}${path in ARGUMENTS ? `?${ARGUMENTS[path]}` : ''}`;
}

/** Who looks at a page: the user of the example service; undefined before a sign-in. */
export function readerOf({ authentication }: AnyOperation): string | undefined {
  if (authentication === 'none') return undefined;
  return authentication === 'admin' ? 'admin' : 'anna';
}
