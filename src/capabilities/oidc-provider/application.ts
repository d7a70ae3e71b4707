import type { Static, TUnsafe } from 'typebox';
import type { RegisteredClient } from '../../core/domain/client.ts';
import { groupKey } from '../../core/domain/group.ts';
import { PROFILE_FIELDS } from '../../core/domain/profile.ts';
import { Type } from '../../core/schema.ts';

/** The ways in which an application gets tokens. */
export const FLOWS = [
  'code',
  'refresh',
  'client_credentials',
  'device_code',
  'implicit',
  'password',
] as const;
export type Flow = (typeof FLOWS)[number];

export const USUAL_FLOWS: readonly Flow[] = ['code', 'refresh'];

/** What claims may get another name: the user name, the groups, and the fields of a profile. */
export const CLAIM_SOURCES = ['userName', 'groups', ...PROFILE_FIELDS] as const;

const ACCESS_TOKENS = ['jwt', 'opaque'] as const;

const text = (description: string, options?: object) =>
  Type.Optional(Type.String({ description, ...options }));
const texts = (description: string, options?: object) =>
  Type.Optional(Type.Array(Type.String(), { description, ...options }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const seconds = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ description, minimum: 10, maximum }));

/** What an application may do. `faultOfSettings` says what else these settings must keep to. */
export const applicationSettings = Type.Object(
  {
    redirectUris: Type.Array(Type.String(), {
      description:
        'the addresses to which people are sent back after a sign-in, each compared as a whole: https; http for this computer alone; or a scheme of its own, if the application is public. Empty if its client_id is the address of a document, which says them (OAuth Client ID Metadata Document)',
      examples: [['https://grafana.example.org/login/generic_oauth']],
    }),
    postLogoutRedirectUris: texts('the addresses to which people may be sent back after a sign-out'),
    backchannelLogoutUri: text(
      'the address at which it takes logout tokens of tickets that end (OpenID Connect Back-Channel Logout 1.0): https, or http for this computer alone',
    ),
    flows: Type.Optional(
      Type.Array(Type.String({ enum: [...FLOWS] }) as unknown as TUnsafe<Flow>, {
        description: `how it gets tokens, of ${FLOWS.join(', ')}; ${USUAL_FLOWS.join(' and ')} when left out`,
        minItems: 1,
      }),
    ),
    public: flag(
      'whether it keeps no secret, as an application in a browser or on a telephone; PKCE protects its sign-ins',
    ),
    groups: texts('the groups whose members may sign in to it; everybody when left out', { minItems: 1 }),
    title: text('its name for people, of up to 100 characters', { minLength: 1, maxLength: 100 }),
    startUri: text(
      'the address at which people begin, such as its first page: their account page leads to it; https, or http for this computer alone',
    ),
    logo: text('the address of its picture: https, or a path of this service'),
    actsForUser: flag(
      'whether its access tokens may call the API of this service as their user, as Alfresco’s own apps do; only for a trusted application',
    ),
    trusted: flag('whether nobody is asked for consent'),
    secondFactor: flag('whether people sign in to it only with a second factor'),
    pairwise: flag(
      'whether it knows people by subjects that no application of another host has (pairwise, OpenID Connect Core 1.0 section 8.1), and by their names only with the scope profile; the subjects hang on the host of its redirect addresses, which have one',
    ),
    claims: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description: `other names of claims in tokens and at the userinfo endpoint, such as {"groups": "roles"}, for ${CLAIM_SOURCES.join(', ')}`,
      }),
    ),
    resources: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description:
          'addresses of other services for which it may ask access tokens (RFC 8707), each with the application that reads them, such as {"https://api.example.org": "api"}; that application says whether they are jwt or opaque, and who may use it',
      }),
    ),
    accessTokens: Type.Optional(
      Type.String({
        enum: [...ACCESS_TOKENS],
        description:
          'jwt, if others check its access tokens by themselves, or opaque, if they ask this service; jwt when left out',
      }) as unknown as TUnsafe<(typeof ACCESS_TOKENS)[number]>,
    ),
    accessTokenLifetime: seconds(
      'how many seconds an access token is good, 10 to 300 for jwt, whose end others do not see, and to 86400 for opaque; 60 for jwt and 300 for opaque when left out',
      86_400,
    ),
    refreshLifetime: seconds(
      'how many seconds a refresh token is good, up to a year; it ends with its ticket in any case',
      31_536_000,
    ),
    jwks: Type.Optional(
      Type.Object(
        { keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { minItems: 1 }) },
        {
          description:
            'its public keys (RFC 7517), if it proves itself by a signature in place of a secret (private_key_jwt)',
        },
      ),
    ),
  },
  { additionalProperties: false, title: 'Settings of an application' },
);

export type ApplicationSettings = Static<typeof applicationSettings>;

/** Whether a person in these groups may sign in to the application. */
export function mayUse(groups: readonly string[], { groups: allowed }: ApplicationSettings): boolean {
  if (allowed === undefined) return true;
  const keys = new Set(groups.map(groupKey));
  return allowed.some((group) => keys.has(groupKey(group)));
}

/** The name of the application behind a resource that this one asks for (RFC 8707); undefined if none is listed. */
export const resourceName = (
  { resources = {} }: Pick<ApplicationSettings, 'resources'>,
  resource: unknown,
): string | undefined => {
  const address = String(resource);
  return Object.hasOwn(resources, address) ? resources[address] : undefined;
};

/** Whether the application may know by which names people sign in. With pairwise subjects it has to ask for the profile. */
export const tellsName = ({ pairwise }: ApplicationSettings, scopes: readonly string[]): boolean =>
  !pairwise || scopes.includes('profile');

/** A registered client that people sign in to. */
export interface Application extends RegisteredClient {
  readonly settings: ApplicationSettings;
}
