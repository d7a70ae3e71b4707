import type { Static } from 'typebox';
import { Type } from '../../core/schema.ts';

const closed = { additionalProperties: false } as const;

const text = (description: string, more: object = {}) =>
  Type.String({ minLength: 1, maxLength: 1_024, description, ...more });

const texts = (description: string) =>
  Type.Optional(Type.Array(text('One of them.'), { minItems: 1, description }));

const claim = (description: string, byDefault: string) =>
  Type.Optional(text(description, { default: byDefault }));

const yesOrNo = (description: string, byDefault: boolean) =>
  Type.Optional(Type.Boolean({ description, default: byDefault }));

/** The signature algorithms that a provider may use: all with a public key (RFC 7518 section 3.1, RFC 8037, RFC 9864). */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

export const USUAL_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

const Claims = Type.Object(
  {
    name: claim('The user name.', 'preferred_username'),
    email: claim('The address for mail. It does not count while email_verified is false.', 'email'),
    firstName: claim('The first name.', 'given_name'),
    lastName: claim('The last name.', 'family_name'),
    subject: claim(
      'The identifier of the person, which never changes and belongs to no other person. For Entra with SCIM: oid.',
      'sub',
    ),
  },
  {
    ...closed,
    description: 'The claims with the name, the profile and the identifier of a person.',
  },
);

const Groups = Type.Object(
  {
    claim: text('The claim with the list of groups, such as groups.'),
    prefix: Type.Optional(
      Type.String({ maxLength: 64, description: 'What the name of each group begins with here.' }),
    ),
    names: Type.Optional(
      Type.Record(Type.String(), text('The group here.'), {
        description:
          'Groups of the provider, and the group here that each one stands for. No other group of the provider counts then. Only a group that is named here may have a role.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'The groups that a person is a member of here. When left out, groups here do not depend on the provider.',
  },
);

const Provider = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$',
      description: 'The id of the provider here, in addresses and events: letters, digits and hyphens.',
    }),
    name: text('The name on the button: Sign in with NAME.', { maxLength: 64 }),
    issuer: text('The issuer, as its tokens name it, such as https://id.example.org/realms/example.'),
    clientId: text('The id under which this service is registered at the provider.'),
    clientSecretFile: Type.Optional(
      text('The file with the secret of this client, as seen from this document. A public client has none.'),
    ),
    caFile: Type.Optional(
      text(
        'The file with the certificates (PEM) that the provider is checked against, in place of the public ones.',
      ),
    ),
    scopes: texts('The scopes to ask for. openid is always among them; profile and email when left out.'),
    claims: Type.Optional(Claims),
    groups: Type.Optional(Groups),
    audiences: texts('The audiences of access tokens that programs may present here. None when left out.'),
    algorithms: Type.Optional(
      Type.Array(Type.Union(ALGORITHMS.map((each) => Type.Literal(each))), {
        minItems: 1,
        description: `The signature algorithms of its tokens; ${USUAL_ALGORITHMS.join(', ')} when left out.`,
      }),
    ),
    signIn: yesOrNo('Whether the sign-in page has a button for it.', true),
    addsUsers: yesOrNo('Whether a person who comes for the first time becomes a user.', true),
    takesLocalNames: yesOrNo(
      'Whether a person becomes the local user of the same name. The password of that user is no longer accepted then.',
      false,
    ),
    askSecondFactor: yesOrNo(
      'Whether a user with a second factor here is asked for it after the sign-in. Access tokens of such a user are refused.',
      false,
    ),
    signOut: yesOrNo('Whether a user who signs out here is led to the sign-out of the provider, too.', false),
    deadline: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 60_000,
        default: 5_000,
        description: 'Milliseconds for an answer of the provider.',
      }),
    ),
  },
  closed,
);

/** The schema of the document of identity providers (specification, section 22). */
export const ProvidersDocument = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    providers: Type.Array(Provider, { description: 'The providers, in the order of their buttons.' }),
  },
  { ...closed, title: 'Identity providers' },
);

export type WrittenProvider = Static<typeof ProvidersDocument>['providers'][number];
