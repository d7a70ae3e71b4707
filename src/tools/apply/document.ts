import type { Static } from 'typebox';
import { applicationSettings } from '../../capabilities/oidc-provider/application.ts';
import { RulesDocument } from '../../capabilities/proxy-gate/rules/document.ts';
import { PROFILE_FIELDS } from '../../core/domain/profile.ts';
import { KEY_ROLES, ROLES } from '../../core/domain/role.ts';
import { Type } from '../../core/schema.ts';

const closed = { additionalProperties: false } as const;

const text = (description: string) => Type.String({ minLength: 1, maxLength: 2_048, description });
const yesOrNo = (description: string) => Type.Optional(Type.Boolean({ description }));
const digest = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

const role = (description: string) => Type.Optional(Type.String({ enum: [...ROLES, 'none'], description }));

const groups = (description: string) =>
  Type.Optional(Type.Array(text('With or without GROUP_.'), { description }));

const Group = Type.Object(
  {
    name: text('With or without GROUP_, in any case.'),
    displayName: Type.Optional(text('The name that people read.')),
    role: role('The role that each member has; none takes it away.'),
    groups: groups('The groups that contain this group itself: these and no others.'),
  },
  closed,
);

const User = Type.Object(
  {
    name: text('The user name.'),
    role: role('The role of the user itself; none takes it away.'),
    disabled: yesOrNo('Whether the user is disabled. Disabling ends its tickets.'),
    locked: yesOrNo('Whether the user is locked by hand.'),
    groups: groups(
      'The groups that contain the user itself: these and no others. Groups that a provider gives the user stay.',
    ),
    passwordHash: Type.Optional(
      text('The hash of the password of a new user, in any form that "tessera users import" reads.'),
    ),
    hashIndicator: Type.Optional(
      Type.Array(text('An encoder of Alfresco.'), {
        description: 'How Alfresco made the hash, such as ["md4"].',
      }),
    ),
    salt: Type.Optional(text('The salt of a hash of Alfresco.')),
    mustChangePassword: yesOrNo('Whether the sign-in page asks a new user for another password.'),
    provider: Type.Optional(
      text('ldap for the directory, or the id of an identity provider. With "subject".'),
    ),
    subject: Type.Optional(text('The identifier of the person at the provider.')),
    ...Object.fromEntries(
      PROFILE_FIELDS.map((field) => [
        field,
        Type.Optional(Type.String({ description: 'A field of the profile. An empty text removes it.' })),
      ]),
    ),
  },
  closed,
);

const Client = Type.Object(
  {
    name: text('The client_id.'),
    secretDigest: digest('The SHA-256 of the secret, in hex.'),
  },
  closed,
);

const ApplicationEntry = Type.Object(
  {
    name: text('The client_id.'),
    secretDigest: Type.Optional(
      digest('The SHA-256 of the secret, in hex. An application that is there keeps its secret without it.'),
    ),
    settings: applicationSettings,
  },
  closed,
);

const ApiKeyEntry = Type.Object(
  {
    name: text('The name of the key.'),
    digest: digest('The SHA-256 of the key, in hex.'),
    role: Type.String({
      enum: [...KEY_ROLES],
      description: 'What it may do; scim is for provisioning alone.',
    }),
    expiresAt: Type.Optional(
      text('From then on it is refused, such as 2030-01-31T12:00:00Z. Never when left out.'),
    ),
  },
  closed,
);

/** The schema of the document that `tessera apply` reads and `tessera state` writes. It changes only things that it names. */
export const StateDocument = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(Group)),
    users: Type.Optional(Type.Array(User)),
    clients: Type.Optional(Type.Array(Client)),
    applications: Type.Optional(Type.Array(ApplicationEntry)),
    apiKeys: Type.Optional(Type.Array(ApiKeyEntry)),
    gateRules: Type.Optional(RulesDocument.properties.rules),
  },
  { ...closed, title: 'State of users, groups, clients, applications, API keys and gate rules' },
);

export type StateDocument = Static<typeof StateDocument>;

/** An entry of a list of the document. */
export type StateEntry<K extends 'groups' | 'users' | 'clients' | 'applications' | 'apiKeys'> = NonNullable<
  StateDocument[K]
>[number];
