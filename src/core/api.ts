/** An API beside the web scripts of the specification, with base paths and error documents of its own. */
export interface Api {
  readonly name: 'v1' | 'oauth2' | 'admin' | 'portal' | 'scim';
  /** Paths below which its operations answer, whatever base paths are set. Without them, the base paths in the settings. */
  readonly basePaths?: readonly `/${string}`[];
  /** How each path of it begins, if it has no base paths of its own. */
  readonly begins?: `/${string}`;
  /**
   * The scheme by which its callers present their credential. Without one, Basic, or a scheme that no browser knows if a
   * script in a page calls.
   */
  readonly challenge?: 'Basic' | 'Bearer';
  /** Whether its paths may end with a slash. */
  readonly slashAtEnd?: true;
  /** Whether a member of a body that is null counts as left out. */
  readonly nullIsLeftOut?: true;
  /**
   * Whether its operations are pages for a browser: they read the ticket from the cookie alone, they answer in HTML, and take
   * a change only as a form of the service's own page, with the CSRF token of the ticket.
   */
  readonly byCookie?: true;
  /** Whether an administrator may call by user name and password, as its clients do, and not by a ticket or an API key only. */
  readonly takesPasswords?: true;
  /** Whether API keys are the only credential of its callers. */
  readonly apiKeysOnly?: true;
  /** The media type of its JSON, if that is another one than `application/json`. */
  readonly mediaType?: string;
}

/** The v1 API (specification, section 10), which current JavaScript and Python clients call. It answers in JSON only. */
export const V1 = {
  name: 'v1',
  basePaths: ['/alfresco/api/-default-/public', '/api/-default-/public'],
  slashAtEnd: true,
  nullIsLeftOut: true,
  takesPasswords: true,
} as const satisfies Api;

/** What operations of the v1 API have in common. */
export const V1_CALL = {
  lifecycle: 'public_api',
  api: V1,
  transaction: 'required',
  formatStyle: 'argument',
  defaultFormat: 'json',
} as const;

/**
 * The OAuth 2.0 API for gateways: they ask about tickets (RFC 7662) and end them (RFC 7009). It answers in JSON only.
 */
// Its clients are no browsers: the challenge names the scheme that they have to use (RFC 6749 section 5.2).
export const OAUTH2: Api = { name: 'oauth2', basePaths: ['/oauth2'], challenge: 'Basic' };

/**
 * Administration over HTTP (specification, section 16), below each base path. It answers in JSON only, and its errors are
 * problem documents (RFC 9457). No browser knows the scheme of its
 * challenge, so no page can make one ask for a password.
 */
export const ADMIN: Api = { name: 'admin', begins: '/api/admin', challenge: 'Bearer' };

/** The pages for people (specification, sections 17 to 19). */
export const PORTAL: Api = { name: 'portal', basePaths: ['/portal'], slashAtEnd: true, byCookie: true };

/** Provisioning of users and groups by SCIM 2.0 (RFC 7644), for an identity provider with an API key. */
export const SCIM: Api = {
  name: 'scim',
  basePaths: ['/scim/v2'],
  challenge: 'Bearer',
  slashAtEnd: true,
  apiKeysOnly: true,
  mediaType: 'application/scim+json',
};

const APIS: readonly Api[] = [V1, OAUTH2, ADMIN, PORTAL, SCIM];

const segmentsOf = (path: string) => path.slice(1).split('/');

const isBelow = (basePath: string, segments: readonly string[], from = 0) => {
  const base = segmentsOf(basePath);
  return segments.length > from + base.length && base.every((segment, at) => segment === segments[from + at]);
};

/** Whether the path of the API begins somewhere in these segments: the base path in front of it is a setting. */
const holds = (begins: string, segments: readonly string[]) =>
  segments.some((_, from) => isBelow(begins, segments, from));

/** The API that a path of these segments belongs to, even if no operation answers there. */
export function apiAt(segments: readonly string[]): Api | undefined {
  return APIS.find(({ basePaths, begins }) =>
    begins === undefined
      ? basePaths?.some((basePath) => isBelow(basePath, segments))
      : holds(begins, segments),
  );
}
