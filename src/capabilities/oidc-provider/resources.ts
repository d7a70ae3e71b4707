import { type Configuration, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';
import { applicationOf, CLAIMS } from './accounts.ts';
import type { AdapterParts } from './adapter.ts';
import { type Application, type ApplicationSettings, resourceName } from './application.ts';

export type ProtocolClient = KoaContextWithOIDC['oidc']['client'];

/** Seconds that an access token is good for. Others check a JWT by themselves, and see no end before its own. */
const JWT_LIFETIME = { usual: 60, most: 300 };
export const OPAQUE_LIFETIME = 300;

export const SCOPES = [...new Set(['openid', 'offline_access', ...Object.keys(CLAIMS)])];

export const isJwt = (client: ProtocolClient) =>
  client !== undefined && applicationOf(client).accessTokens !== 'opaque';

/** The resource that stands for an application whose access tokens others check by themselves. */
export const ownResource = (client: ProtocolClient) => `urn:tessera:application:${client?.clientId}`;

/** How access tokens for this audience are made: as the application has it that reads them. */
function madeFor(
  audience: string,
  { accessTokens = 'jwt', accessTokenLifetime }: ApplicationSettings,
): ResourceServer {
  const about = { scope: SCOPES.join(' '), audience, accessTokenFormat: accessTokens };
  if (accessTokens === 'opaque') return { ...about, accessTokenTTL: accessTokenLifetime ?? OPAQUE_LIFETIME };
  const accessTokenTTL = Math.min(accessTokenLifetime ?? JWT_LIFETIME.usual, JWT_LIFETIME.most);
  return { ...about, accessTokenTTL, jwt: { sign: { alg: 'RS256' } } };
}

/** How access tokens of an application that reads them are made. */
export const jwtsFor = (client: NonNullable<ProtocolClient>) =>
  madeFor(client.clientId, applicationOf(client));

/** The other application that this resource is, if the operator has listed it for the application. */
export async function targetOf(
  { units }: AdapterParts,
  client: NonNullable<ProtocolClient>,
  resource: unknown,
): Promise<Application | undefined> {
  const name = resourceName(applicationOf(client), resource);
  return name === undefined ? undefined : units.read(({ applications }) => applications.find(name));
}

/**
 * Access tokens for an application itself have its name as audience, as Keycloak's have; those for another resource (RFC 8707) have its
 * address.
 */
export function resources(parts: AdapterParts): NonNullable<Configuration['features']>['resourceIndicators'] {
  return {
    enabled: true,
    defaultResource: (_, client, one) => (isJwt(client) ? ownResource(client) : (one ?? [])),
    useGrantedResource: () => true,
    async getResourceServerInfo(_, resource, client) {
      if (resource === ownResource(client) && isJwt(client)) return jwtsFor(client);
      const target = await targetOf(parts, client, resource);
      if (target === undefined) throw new errors.InvalidTarget();
      return madeFor(resource, target.settings);
    },
  };
}
