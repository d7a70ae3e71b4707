import type { Static } from 'typebox';
import type { RegisteredClient } from '../../core/domain/client.ts';
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

/** The flows of an application that names none. */
export const USUAL_FLOWS: readonly Flow[] = ['code', 'refresh'];

const text = (description: string, options?: object) =>
  Type.Optional(Type.String({ description, ...options }));
const texts = (description: string, options?: object) =>
  Type.Optional(Type.Array(Type.String(), { description, ...options }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const seconds = (description: string) => Type.Optional(Type.Integer({ description, minimum: 10 }));

/** What an application may do. `faults.ts` says what else these settings must keep to. */
export const applicationSettings = Type.Object(
  {
    redirectUris: Type.Array(Type.String(), {
      description:
        'The addresses to which people may be sent back after a sign-in, each compared as a whole: https, http for this computer alone, or a scheme of its own if the application has no secret.',
      examples: [['https://grafana.example.org/login/generic_oauth']],
    }),
    postLogoutRedirectUris: texts('The addresses to which people may be sent back after a sign-out.'),
    flows: Type.Optional(
      Type.Array(Type.Union(FLOWS.map((flow) => Type.Literal(flow))), {
        description: 'How it gets tokens. Without it: code and refresh.',
      }),
    ),
    public: flag(
      'Whether it keeps no secret, as an application in a browser or on a telephone: PKCE protects its sign-ins.',
    ),
    groups: texts('The groups whose members may sign in to it. Without it: everybody.', { minItems: 1 }),
    title: text('Its name for people.', { minLength: 1, maxLength: 100 }),
    logo: text('The address of its picture: https, or a path of this service.'),
    trusted: flag('Whether nobody is asked for consent.'),
    pairwise: flag('Whether it gets an id of each user that no other application gets.'),
    claims: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1 }), {
        description: 'Names of claims by what they say, such as {"groups": "roles"}.',
      }),
    ),
    accessTokens: Type.Optional(
      Type.Union([Type.Literal('jwt'), Type.Literal('opaque')], {
        description:
          'Whether others can check its access tokens by themselves (jwt, without it), or ask this service about them (opaque).',
      }),
    ),
    accessTokenLifetime: seconds(
      'How long an access token is good: up to 300 seconds for jwt, where others cannot see its end. Without it: 60 for jwt, 300 for opaque.',
    ),
    refreshLifetime: seconds(
      'How long a refresh token is good without a use. It ends with its ticket in any case.',
    ),
    jwks: Type.Optional(
      Type.Object(
        { keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { minItems: 1 }) },
        {
          description:
            'Its public keys, if it proves itself by a signature in place of a secret (private_key_jwt).',
        },
      ),
    ),
    backchannelLogoutUri: text('The address that is told of the end of a sign-in.'),
  },
  { additionalProperties: false, title: 'ApplicationSettings' },
);

/** What an application may do. */
export type ApplicationSettings = Static<typeof applicationSettings>;

/** A registered client that people sign in to. */
export interface Application extends RegisteredClient {
  readonly settings: ApplicationSettings;
}
