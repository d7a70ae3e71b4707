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

/** The v1 API (`wire.md` section 10), which current JavaScript and Python clients call. It answers in JSON only. */
export const V1: Api = {
  name: 'v1',
  basePaths: ['/alfresco/api/-default-/public', '/api/-default-/public'],
  slashAtEnd: true,
  nullIsLeftOut: true,
};

/**
 * The OAuth 2.0 API for gateways: they ask about tickets (RFC 7662) and end them (RFC 7009). It answers in JSON only.
 */
export const OAUTH2: Api = { name: 'oauth2', basePaths: ['/oauth2'] };

const APIS: readonly Api[] = [V1, OAUTH2];

const isBelow = (basePath: string, segments: readonly string[]) => {
  const base = basePath.slice(1).split('/');
  return segments.length > base.length && base.every((segment, at) => segment === segments[at]);
};

/** The API that a path of these segments belongs to, even if no operation answers there. */
export function apiAt(segments: readonly string[]): Api | undefined {
  return APIS.find(({ basePaths }) => basePaths.some((basePath) => isBelow(basePath, segments)));
}
