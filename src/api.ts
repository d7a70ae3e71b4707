/** An API beside the web scripts of the specification, with base paths and error documents of its own. */
export interface Api {
  readonly name: 'v1' | 'oauth2';
  /** Paths below which its operations answer, whatever base paths are set. */
  readonly basePaths: readonly `/${string}`[];
  /** Whether its paths may end with a slash. */
  readonly slashAtEnd?: true;
  /** Whether a member of a body that is null counts as left out. */
  readonly nullIsLeftOut?: true;
}

/** What today's JavaScript and Python clients speak (`wire.md` section 10): json only. */
export const V1: Api = {
  name: 'v1',
  basePaths: ['/alfresco/api/-default-/public', '/api/-default-/public'],
  slashAtEnd: true,
  nullIsLeftOut: true,
};

/** What API gateways speak to ask about tickets and to end them (RFC 7662, RFC 7009): json only. */
export const OAUTH2: Api = { name: 'oauth2', basePaths: ['/oauth2'] };

const APIS: readonly Api[] = [V1, OAUTH2];

const isBelow = (basePath: string, segments: readonly string[]) => {
  const base = basePath.slice(1).split('/');
  return segments.length > base.length && base.every((segment, at) => segment === segments[at]);
};

/** The API in which a path of these segments would lie, whether an operation answers there or not. */
export function apiAt(segments: readonly string[]): Api | undefined {
  return APIS.find(({ basePaths }) => basePaths.some((basePath) => isBelow(basePath, segments)));
}
