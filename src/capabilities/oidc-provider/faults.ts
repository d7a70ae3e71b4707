import { faultOfClientName } from '../../core/domain/client.ts';
import {
  type Application,
  type ApplicationSettings,
  CLAIM_SOURCES,
  FLOWS,
  type Flow,
  USUAL_FLOWS,
} from './application.ts';

/** Why an application cannot have these settings. */
export interface SettingsFault {
  /** The member of the settings that is wrong. */
  readonly member: keyof ApplicationSettings;
  /** What is wrong, and what to do. It begins with the member. */
  readonly sentence: string;
}

const fault = (member: SettingsFault['member'], why: string): SettingsFault => ({
  member,
  sentence: `${member} ${why}`,
});

/** Schemes that browsers act upon by themselves. */
const BROWSER_SCHEMES =
  /^(?:javascript|data|file|blob|about|vbscript|filesystem|view-source|mailto|ftp|wss?|intent|chrome):$/;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

const FIXED_CLAIMS = new Set(
  'iss sub aud exp iat nbf jti azp nonce acr amr auth_time at_hash c_hash s_hash sid scope client_id cnf events typ'.split(
    ' ',
  ),
);

const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

/** An application whose addresses are on the computer of its user (RFC 8252): its port there may be any. */
export const isNative = (uris: readonly string[]): boolean =>
  uris.length > 0 &&
  uris.every(
    (uri) => /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(uri) || !/^https?:/.test(uri),
  );

/** Whether the client id is the address of a document that says what the client is (OAuth Client ID Metadata Document). */
export const hasDocument = (name: string): boolean => name.startsWith('https:');

/** Why an application cannot have this client id; undefined if it can. An address is compared as it is written, so there is one way to write it. */
export function faultOfApplicationName(name: string): string | undefined {
  if (!hasDocument(name)) return faultOfClientName(name);
  const { href, search } = URL.parse(name) ?? {};
  const isOdd =
    href !== name || search !== '' || name.length > 255 || faultOfAddress(name, false) !== undefined;
  return isOdd
    ? 'the address of a document has up to 255 characters: https, a host in small letters, and a path without . and .., a query or a fragment'
    : undefined;
}

/** Why an address cannot be one of an application; undefined if it can. `ownScheme` says whether a scheme of its own is allowed. */
export function faultOfAddress(address: string, ownScheme: boolean): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^[a-z][a-z0-9+.-]*:./i.test(address)) return 'is no absolute address';
  if (/[\s\\]/.test(address)) return 'has white space or a backslash';
  if (address.includes('*')) return 'has a wildcard: addresses are compared as a whole, so name each';
  if (address.includes('#')) return 'has a fragment: leave out # and what follows';
  if (url.username !== '' || url.password !== '') return 'has a user name or a password: leave it out';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:')
    return LOOPBACK.test(url.hostname)
      ? undefined
      : 'is http, which others can read and change: give https (http is for localhost, 127.0.0.1 and [::1])';
  if (BROWSER_SCHEMES.test(url.protocol)) return 'has a scheme that browsers act upon: give https';
  return ownScheme ? undefined : 'has a scheme of its own, which only a public application has: give https';
}

const factsOf = (settings: ApplicationSettings, name: string) => ({
  ...settings,
  isPublic: settings.public === true,
  isDocumented: hasDocument(name),
  has: (...flows: readonly Flow[]) => flows.some((flow) => (settings.flows ?? USUAL_FLOWS).includes(flow)),
  hosts: new Set(settings.redirectUris.map((uri) => URL.parse(uri)?.host)),
});

/** What contradicts what: when, the member to change, and why. */
const CONTRADICTIONS: readonly (readonly [
  (facts: ReturnType<typeof factsOf>) => boolean | undefined,
  keyof ApplicationSettings,
  string,
])[] = [
  [
    ({ has, redirectUris, isDocumented }) =>
      !isDocumented && has('code', 'implicit') && redirectUris.length === 0,
    'redirectUris',
    'has no address: the flows code and implicit send people back',
  ],
  [
    ({ has }) => has('refresh') && !has('code', 'device_code', 'password'),
    'flows',
    'has refresh without code, device_code or password: only these give refresh tokens',
  ],
  [
    ({ has, isPublic }) => has('client_credentials') && isPublic,
    'flows',
    'has client_credentials, which a public application has none of: leave it out',
  ],
  [
    ({ actsForUser, trusted }) => actsForUser && !trusted,
    'actsForUser',
    'is for a trusted application, since nobody asks people for it: give trusted, too',
  ],
  [
    ({ secondFactor, has }) => secondFactor && has('password'),
    'secondFactor',
    'is for people in a browser, and the flow password asks for none: leave one out',
  ],
  [
    ({ pairwise, has }) => pairwise && (!has('code', 'implicit') || has('device_code')),
    'pairwise',
    'hangs on the host to which people are sent back: give the flow code, and not device_code',
  ],
  [
    ({ pairwise, hosts }) => pairwise && (hosts.size > 1 || hosts.has('')),
    'pairwise',
    'hangs on the host of redirectUris: give addresses with one host',
  ],
  [
    ({ isDocumented, has }) => isDocumented && has('client_credentials', 'implicit', 'password'),
    'flows',
    'has more than code, refresh and device_code, which alone are for a client that a document describes',
  ],
  [
    ({ jwks, isPublic }) => jwks !== undefined && isPublic,
    'jwks',
    'is for an application that proves itself, and a public one does not: leave one out',
  ],
];

function faultOfFlows(settings: ApplicationSettings, name: string): SettingsFault | undefined {
  const unknown = settings.flows?.find((flow) => !FLOWS.includes(flow));
  if (unknown !== undefined)
    return fault('flows', `names "${unknown}", which is none of ${FLOWS.join(', ')}`);
  const facts = factsOf(settings, name);
  const [, member, why] = CONTRADICTIONS.find(([contradict]) => contradict(facts)) ?? [];
  return member && fault(member, why ?? '');
}

/** What the document of a client says, or may change at any time. */
const OF_DOCUMENT = ['redirectUris', 'postLogoutRedirectUris', 'public', 'jwks', 'pairwise'] as const;

function faultOfDocumented(settings: ApplicationSettings, name: string): SettingsFault | undefined {
  const member = OF_DOCUMENT.find((each) => ![undefined, 'false', ''].includes(settings[each]?.toString()));
  return hasDocument(name) && member !== undefined
    ? fault(member, 'hangs on the document at the client id: leave it out')
    : undefined;
}

function faultOfKeys({ jwks }: ApplicationSettings): SettingsFault | undefined {
  for (const key of jwks?.keys ?? []) {
    if (typeof key.kty !== 'string') return fault('jwks', 'has a key without kty');
    if (SECRET_MEMBERS.some((member) => member in key))
      return fault(
        'jwks',
        'has a private key, which nobody else may know: give its public part, and make a new key',
      );
  }
  return undefined;
}

function faultOfClaims({ claims = {} }: ApplicationSettings): SettingsFault | undefined {
  for (const [source, name] of Object.entries(claims)) {
    if (!(CLAIM_SOURCES as readonly string[]).includes(source))
      return fault('claims', `names "${source}", which is none of ${CLAIM_SOURCES.join(', ')}`);
    if (FIXED_CLAIMS.has(name))
      return fault('claims', `gives the name "${name}", whose meaning OpenID Connect fixes`);
  }
  return undefined;
}

function faultOfResources({ resources = {} }: ApplicationSettings): SettingsFault | undefined {
  for (const [address, name] of Object.entries(resources)) {
    const found = faultOfAddresses('resources', [address], true);
    if (found !== undefined) return found;
    const why = faultOfApplicationName(name);
    if (why !== undefined) return fault('resources', `names the application "${name}": ${why}`);
  }
  return undefined;
}

function faultOfAddresses(
  member: SettingsFault['member'],
  addresses: readonly (string | undefined)[],
  ownScheme = false,
): SettingsFault | undefined {
  for (const address of addresses) {
    const why = address === undefined ? undefined : faultOfAddress(address, ownScheme);
    if (why !== undefined) return { member, sentence: `${member}: "${address}" ${why}` };
  }
  return undefined;
}

/** Why an application cannot have these settings, beyond their schema; undefined if it can. The only place that decides this. */
export function faultOfSettings(settings: ApplicationSettings, name = ''): SettingsFault | undefined {
  const { redirectUris, postLogoutRedirectUris = [], backchannelLogoutUri, startUri, logo } = settings;
  const { public: ownScheme, accessTokens = 'jwt', accessTokenLifetime = 0, title } = settings;
  const wrongAddress =
    faultOfAddresses('redirectUris', redirectUris, ownScheme) ??
    faultOfAddresses('postLogoutRedirectUris', postLogoutRedirectUris, ownScheme) ??
    faultOfAddresses('backchannelLogoutUri', [backchannelLogoutUri]) ??
    faultOfAddresses('startUri', [startUri]) ??
    faultOfAddresses('logo', [/^\/[^/\\]/.test(logo ?? '') ? undefined : logo]);
  if (wrongAddress !== undefined) return wrongAddress;
  if (title !== undefined && (title.trim() === '' || title.length > 100))
    return fault('title', 'has 1 to 100 characters');
  if (accessTokens === 'jwt' && accessTokenLifetime > 300)
    return fault('accessTokenLifetime', 'is at most 300 for jwt, since nobody can end such a token');
  return (
    faultOfDocumented(settings, name) ??
    faultOfFlows(settings, name) ??
    faultOfKeys(settings) ??
    faultOfClaims(settings) ??
    faultOfResources(settings)
  );
}

/** Whether an application has a secret: it is not public, does not sign in place of one, and no document describes it. */
export const needsSecret = ({ name, settings }: Pick<Application, 'name' | 'settings'>): boolean =>
  settings.public !== true && settings.jwks === undefined && !hasDocument(name);
