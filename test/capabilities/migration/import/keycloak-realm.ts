import { pbkdf2Sync } from 'node:crypto';
import { hashRawSync } from '@node-rs/argon2';

/** The password of each user here. It is shorter than Keycloak pads it to, and not all ASCII. */
export const RIGHT = 'Grüße, Wêlt';
/** The secret of the authenticator app of hana, as Keycloak keeps it. */
export const APP_SECRET = 'Vn3LQ0rXcFhTz8uYkW5e';
/** The secret of the client `grafana`. */
export const CLIENT_SECRET = 'q8Yt2LzWnB5RfK7vXcJ4mHs9DgP3aTeU';

const SALT = Buffer.from('9f2c51b7a0e84d3688fa1b6cd27e4350', 'hex');

const credential = (type: string, secretData: object, credentialData: object) => ({
  id: '5b0c9f5e-4c1c-4a07-8c9c-0b7b3f6a8d11',
  type,
  createdDate: 1_767_604_673_211,
  secretData: JSON.stringify(secretData),
  credentialData: JSON.stringify(credentialData),
});

const password = (value: Buffer, credentialData: object) => [
  credential(
    'password',
    { value: value.toString('base64'), salt: SALT.toString('base64'), additionalParameters: {} },
    credentialData,
  ),
];

/** Keycloak pads a short password by NUL, which changes no hash. */
function pbkdf2Password(algorithm: string, digest: string, hashIterations: number, length: number) {
  const value = pbkdf2Sync(RIGHT.padEnd(14, '\0'), SALT, hashIterations, length, digest);
  return password(value, { hashIterations, algorithm, additionalParameters: {} });
}

function argon2Password() {
  const cost = { memoryCost: 7_168, timeCost: 5, parallelism: 1, outputLen: 32, algorithm: 2, version: 1 };
  return password(hashRawSync(RIGHT, { ...cost, salt: SALT }), {
    hashIterations: 5,
    algorithm: 'argon2',
    additionalParameters: {
      hashLength: ['32'],
      memory: ['7168'],
      type: ['id'],
      version: ['1.3'],
      parallelism: ['1'],
    },
  });
}

const app = (digits: number) =>
  credential(
    'otp',
    { value: APP_SECRET },
    { subType: 'totp', digits, counter: 0, period: 30, algorithm: 'HmacSHA1' },
  );

const user = (username: string, members: object) => ({
  id: `00000000-0000-4000-8000-${username.padEnd(12, '0').slice(0, 12)}`,
  username,
  emailVerified: true,
  createdTimestamp: 1_767_604_673_000,
  enabled: true,
  totp: false,
  credentials: [],
  disableableCredentialTypes: [],
  requiredActions: [],
  realmRoles: ['default-roles-alfresco'],
  notBefore: 0,
  groups: [],
  ...members,
});

const client = (clientId: string, members: object) => ({
  id: `10000000-0000-4000-8000-${clientId.padEnd(12, '0').slice(0, 12)}`,
  clientId,
  enabled: true,
  alwaysDisplayInConsole: false,
  clientAuthenticatorType: 'client-secret',
  redirectUris: [],
  webOrigins: [],
  notBefore: 0,
  bearerOnly: false,
  consentRequired: false,
  standardFlowEnabled: true,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  serviceAccountsEnabled: false,
  publicClient: false,
  frontchannelLogout: false,
  protocol: 'openid-connect',
  attributes: {},
  fullScopeAllowed: true,
  defaultClientScopes: ['web-origins', 'acr', 'profile', 'roles', 'email'],
  optionalClientScopes: ['offline_access'],
  ...members,
});

const USERS = [
  user('anna', {
    firstName: 'Anna',
    lastName: 'Ng',
    email: 'anna@example.org',
    attributes: { phoneNumber: ['+49 30 1234'], locale: ['de'], organization: ['Press'] },
    credentials: argon2Password(),
    groups: ['/staff', '/staff/editors'],
  }),
  user('ben', {
    credentials: [...pbkdf2Password('pbkdf2-sha256', 'sha256', 27_500, 64), app(8)],
    realmRoles: ['default-roles-alfresco', 'manager'],
    groups: ['/it/editors'],
  }),
  user('carla', {
    credentials: pbkdf2Password('pbkdf2-sha512', 'sha512', 210_000, 64),
    requiredActions: ['UPDATE_PASSWORD'],
  }),
  user('dora', { credentials: pbkdf2Password('pbkdf2', 'sha1', 20_000, 64), enabled: false }),
  user('emil', { federationLink: 'b7a1d7d0-7d2e-4f1c-9f5f-1d3f2a6b9c01' }),
  user('fay', {
    federatedIdentities: [{ identityProvider: 'entra', userId: 'XyZ-42', userName: 'fay@example.org' }],
  }),
  user('gus', { credentials: password(SALT, { hashIterations: 1, algorithm: 'md5-crypt' }) }),
  user('hana', { credentials: [...argon2Password(), app(6)], totp: true }),
  user('service-account-reports', { serviceAccountClientId: 'reports' }),
];

const CLIENTS = [
  client('account', { publicClient: true, redirectUris: ['/realms/alfresco/account/*'] }),
  client('alfresco', {
    name: 'Alfresco',
    publicClient: true,
    rootUrl: 'https://alfresco.example.org',
    redirectUris: ['https://alfresco.example.org/workspace/*', '/', 'iosacsapp://aims/auth'],
    implicitFlowEnabled: true,
    attributes: { 'post.logout.redirect.uris': '+', 'oauth2.device.authorization.grant.enabled': 'true' },
  }),
  client('grafana', {
    name: '$\u{7b}client_grafana}',
    secret: CLIENT_SECRET,
    consentRequired: true,
    redirectUris: ['https://grafana.example.org/login/generic_oauth'],
    directAccessGrantsEnabled: true,
    attributes: {
      'post.logout.redirect.uris': 'https://grafana.example.org/login##https://grafana.example.org/',
    },
  }),
  client('reports', { secret: 'short', standardFlowEnabled: false, serviceAccountsEnabled: true }),
  client('share', { secret: '**********', redirectUris: ['https://alfresco.example.org/share/page'] }),
  client('saml-app', { protocol: 'saml', attributes: { 'saml.force.post.binding': 'true' } }),
];

/** An export of a realm, in the shape that `kc.sh export --users realm_file` of Keycloak 26 writes. */
export function keycloakRealm(members: object = {}): string {
  const realm = {
    id: 'alfresco',
    realm: 'alfresco',
    enabled: true,
    sslRequired: 'external',
    roles: { realm: [{ name: 'manager', composite: false, clientRole: false }] },
    groups: [
      {
        id: '1',
        name: 'staff',
        path: '/staff',
        attributes: {},
        realmRoles: [],
        clientRoles: {},
        subGroups: [{ id: '2', name: 'editors', path: '/staff/editors', subGroups: [] }],
      },
      { id: '3', name: 'it', subGroups: [{ id: '4', name: 'editors', subGroups: [] }] },
    ],
    users: USERS,
    clients: CLIENTS,
    keycloakVersion: '26.4.2',
    ...members,
  };
  return JSON.stringify(realm, undefined, 2);
}
