import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import Provider, {
  type Configuration,
  errors,
  type Grant,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  type ResourceServer,
} from 'oidc-provider';
import { bytesOf, type Digest, digestFrom, type HeldTicket } from '../../core/domain/ticket.ts';
import { digestOfSecret } from '../../core/identity/client-secret.ts';
import { LANGUAGES } from '../../faces/pages/texts/texts.ts';
import {
  accountFinder,
  applicationOf,
  CLAIMS,
  claimsOf,
  findPerson,
  isUserStillAllowed,
} from './accounts.ts';
import { type AdapterParts, EntryAdapter, factsNow } from './adapter.ts';
import { mayUse } from './application.ts';
import { fetchKeySet } from './client-documents.ts';
import { hasDocument } from './faults.ts';
import { consentKey, entryKey, sessionIdOf, userIdOf } from './identifiers.ts';
import { OPAQUE_LIFETIME, type ProtocolClient, resources, SCOPES, targetOf } from './resources.ts';
import { AUTHORIZATION, DEVICE, PROTOCOL } from './settings.ts';
import { onlyRequirements, stepUpCheck } from './step-up.ts';
import { MULTI_FACTOR, SINGLE_FACTOR } from './tickets.ts';
import { deviceFlow, renderError, rpInitiatedLogout } from './views.ts';

const ROUTES = {
  authorization: AUTHORIZATION,
  token: `${PROTOCOL}/token`,
  introspection: `${PROTOCOL}/token/introspect`,
  userinfo: `${PROTOCOL}/userinfo`,
  end_session: `${PROTOCOL}/logout`,
  jwks: `${PROTOCOL}/certs`,
  revocation: `${PROTOCOL}/revoke`,
  pushed_authorization_request: `${PROTOCOL}/ext/par/request`,
  device_authorization: `${PROTOCOL}/auth/device`,
  code_verification: DEVICE,
};

/** The cookies of the library: of a browser without a ticket, and of a sign-in that is under way. */
export const COOKIES = {
  session: 'tessera-op',
  interaction: 'tessera-op-step',
  resume: 'tessera-op-resume',
};

const SIGNING = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'] as const;
const SIGNED_HERE = ['RS256', 'EdDSA'] as const;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The most characters of a name, or of languages, that the sign-in page is given. */
const LONGEST_HINT = 255;

function stepAddress({ issuer }: AdapterParts) {
  const { origin } = new URL(issuer);
  return (
    _: KoaContextWithOIDC,
    { uid, prompt, returnTo, session, params }: InstanceType<Provider['Interaction']>,
  ) => {
    if (prompt.name === 'consent')
      return `${origin}/portal/applications/consent?${new URLSearchParams({ step: uid })}`;
    const query = new URLSearchParams({ return: new URL(returnTo).pathname });
    const mustSignInAnew = ['login_prompt', 'max_age'].some((reason) => prompt.reasons.includes(reason));
    if (session !== undefined || mustSignInAnew) query.set('again', mustSignInAnew ? 'anew' : 'yes');
    for (const [name, value] of [
      ['user', params.login_hint],
      ['languages', params.ui_locales],
    ] as const)
      if (typeof value === 'string' && value !== '' && value.length <= LONGEST_HINT) query.set(name, value);
    return `${origin}/portal/login?${query}`;
  };
}

function policy(parts: AdapterParts) {
  const prompts = interactionPolicy.base();
  const signIn = prompts.get('login')?.checks;
  for (const reason of ['essential_acr', 'essential_acrs']) signIn?.remove(reason);
  signIn?.add(stepUpCheck(parts));
  // The page for consent tells the name that the client has.
  const consent = prompts.get('consent');
  if (consent) consent.details = ({ oidc: { client } }) => ({ clientName: client?.clientName });
  // Any program on the computer can pretend to be this one, so each sign-in asks for consent (RFC 8252 section 8.6) unless an administrator trusts it.
  const native = consent?.checks.get('native_client_prompt');
  if (native) {
    const { check } = native;
    native.check = (ctx) =>
      applicationOf(ctx.oidc.client ?? {}).trusted ? interactionPolicy.Check.NO_NEED_TO_PROMPT : check(ctx);
  }
  return prompts;
}

/** What access tokens say of their user, as programs read it that know Keycloak's. */
function tokenClaims(parts: AdapterParts): Configuration['extraTokenClaims'] {
  return async ({ oidc: { client, entities } }, token) => {
    if (client === undefined) return undefined;
    const own = { azp: client.clientId };
    if (token.kind !== 'AccessToken') return own;
    const [person, target] = [
      await findPerson(parts, token.accountId),
      await targetOf(parts, client, token.aud),
    ];
    if (person !== undefined && target !== undefined && !mayUse(person.groups, target.settings))
      throw new errors.AccessDenied('this user may not use the resource');
    if (person === undefined) throw new errors.InvalidGrant('the user is not there any more');
    const { sub: _, ...claims } = claimsOf(person, applicationOf(client), token.scope?.split(' ') ?? []);
    return { ...claims, ...authenticationOf(entities), ...own };
  };
}

/** When and how the user signed in (RFC 9068 section 2.2.1), from what the token is issued for. */
function authenticationOf(entities: KoaContextWithOIDC['oidc']['entities']) {
  const { AuthorizationCode, RefreshToken, DeviceCode, Session } = entities;
  const {
    acr,
    amr,
    authTime = Session?.loginTs,
  } = AuthorizationCode ?? RefreshToken ?? DeviceCode ?? Session ?? {};
  return { acr, amr, auth_time: authTime };
}

/** The subject of an account for all applications of one host, which no application of another host has. */
const pairwiseSubject =
  ({ keys }: AdapterParts): Configuration['pairwiseIdentifier'] =>
  async (_, accountId, { redirectUris: [uri = ''] = [] }) =>
    createHmac('sha256', await keys.pairwiseSecret())
      .update(`${new URL(uri).host} ${accountId}`)
      .digest('base64url');

/** Whether what is granted outlives the ticket of the browser: for a device, or while its user is away (`offline_access`). */
const outlives = ({ oidc: { route, requestParamOIDCScopes: scopes } }: KoaContextWithOIDC): boolean =>
  scopes.has('offline_access') || /^(?:code_verification|device_resume)$/.test(route);

/** The grant that the session has at this application, if it hangs on the ticket that this sign-in needs. */
async function presentGrant(
  parts: AdapterParts,
  ctx: KoaContextWithOIDC,
  held: HeldTicket,
): Promise<Grant | undefined> {
  const { client, session, provider } = ctx.oidc;
  const grantId = client && session?.grantIdFor(client.clientId);
  if (grantId === undefined) return undefined;
  const entry = await parts.units.read(({ providerEntries }) =>
    providerEntries.find(entryKey('Grant', grantId)),
  );
  const isOwn = entry?.ticketDigest?.equals(bytesOf(held.ticket.digest));
  if (isOwn !== !outlives(ctx)) return undefined;
  const facts = factsNow();
  if (facts !== undefined && entry?.ticketDigest !== undefined)
    facts.grantTicket = digestFrom(entry.ticketDigest);
  return provider.Grant.find(grantId);
}

/** The grant of this sign-in: that of the session, or a new one, if the user consented before or is not asked. */
function grantLoader(parts: AdapterParts) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, account, provider, requestParamOIDCScopes: scopes, resourceServers } = ctx.oidc;
    const facts = factsNow();
    if (client === undefined || account === undefined || facts?.held === undefined) return undefined;
    const wanted = [...scopes];
    const there = await presentGrant(parts, ctx, facts.held);
    const resources = Object.keys(resourceServers ?? {});
    if (there !== undefined && covers(there, wanted, resources)) return there;
    if (!(await isGranted(parts, account.accountId, client, wanted))) return there;
    if (there === undefined && outlives(ctx)) {
      facts.grantTicket = await parts.tickets.issueFor(facts.held, client.clientId, facts.client);
      if (facts.grantTicket === undefined) throw new errors.AccessDenied('the user gets no further ticket');
    }
    const jti = randomBytes(32).toString('hex');
    const grant =
      there ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId, jti } as object);
    grant.addOIDCScope(wanted.join(' '));
    for (const resource of resources) grant.addResourceScope(resource, wanted.join(' '));
    await grant.save();
    return grant;
  };
}

/** Whether the grant has these scopes, also for each of the resources. */
function covers(grant: Grant, wanted: readonly string[], resources: readonly string[]): boolean {
  const all = [grant.getOIDCScope(), ...resources.map((resource) => grant.getResourceScope(resource))];
  return all.every((scope) => wanted.every((each) => scope.split(' ').includes(each)));
}

/** Whether the user has consented to these scopes, or the application needs no consent. */
async function isGranted(
  parts: AdapterParts,
  subject: string,
  client: NonNullable<ProtocolClient>,
  wanted: readonly string[],
): Promise<boolean> {
  if (applicationOf(client).trusted) return true;
  const key = consentKey(userIdOf(subject), client.clientId);
  const consent = await parts.units.read(({ providerEntries }) => providerEntries.find(key));
  const { scopes = [] } = (consent && JSON.parse(consent.payload)) ?? {};
  return consent !== undefined && wanted.every((scope) => scopes.includes(scope));
}

function features(parts: AdapterParts): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    claimsParameter: { enabled: true, assertClaimsParameter: onlyRequirements },
    // Who holds a token may ask about it and end it; an application without a secret about its own tokens alone.
    introspection: {
      enabled: true,
      allowedPolicy: async (_, { clientAuthMethod, clientId }, token) =>
        (clientAuthMethod !== 'none' || token.clientId === clientId) &&
        (await isUserStillAllowed(parts, token)),
    },
    revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    deviceFlow,
    resourceIndicators: resources(parts),
    // `logouts.ts` sends the tokens: whatever ends a ticket counts, and an application that is down gets its token later.
    backchannelLogout: { enabled: true },
    rpInitiatedLogout,
  };
}

const lifetimeOfAccess = (
  _: unknown,
  { resourceServer }: { readonly resourceServer?: ResourceServer | undefined },
  client: object,
) => resourceServer?.accessTokenTTL ?? applicationOf(client).accessTokenLifetime ?? OPAQUE_LIFETIME;

/** Seconds that each thing is good for. Whatever hangs on a ticket ends with it, if that is sooner. */
const LIFETIMES: NonNullable<Configuration['ttl']> = {
  AccessToken: lifetimeOfAccess,
  ClientCredentials: lifetimeOfAccess,
  AuthorizationCode: 60,
  DeviceCode: 600,
  Grant: 365 * DAY,
  IdToken: HOUR,
  Interaction: HOUR,
  RefreshToken: (_, __, client) => applicationOf(client).refreshLifetime ?? 30 * DAY,
  Session: HOUR,
};

function configuration(parts: AdapterParts, keys: readonly JWK[]): Configuration {
  return {
    adapter: (kind: string) => new EntryAdapter(kind, parts),
    jwks: { keys },
    routes: ROUTES,
    cookies: { names: COOKIES },
    claims: CLAIMS as Record<string, string[]>,
    acrValues: [MULTI_FACTOR, SINGLE_FACTOR],
    scopes: SCOPES,
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier: pairwiseSubject(parts),
    conformIdTokenClaims: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    // No HS256 and no client_secret_jwt: the store has digests of secrets only.
    enabledJWA: {
      clientAuthSigningAlgValues: [...SIGNING],
      requestObjectSigningAlgValues: [...SIGNING],
      idTokenSigningAlgValues: [...SIGNED_HERE],
      userinfoSigningAlgValues: [...SIGNED_HERE],
      introspectionSigningAlgValues: [...SIGNED_HERE],
      authorizationSigningAlgValues: [...SIGNED_HERE],
    },
    responseTypes: ['code', 'id_token', 'id_token token'],
    pkce: { required: (_, client) => client.clientAuthMethod === 'none' || hasDocument(client.clientId) },
    rotateRefreshToken: true,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    // The adapter asks whether the ticket is live, at each look-up.
    expiresWithSession: () => false,
    clientBasedCORS: (_, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
    extraClientMetadata: { properties: ['application'] },
    extraTokenClaims: tokenClaims(parts),
    ttl: LIFETIMES,
    clockTolerance: 5,
    findAccount: accountFinder(parts),
    loadExistingGrant: grantLoader(parts),
    interactions: { policy: policy(parts), url: stepAddress(parts) },
    features: features(parts),
    renderError,
    discovery: { ui_locales_supported: [...LANGUAGES] },
  };
}

/** The members of the library's models that its types leave out. */
interface StoredToken {
  save(): Promise<string>;
  readonly adapter: EntryAdapter;
  readonly format?: string;
  readonly exp?: number;
  readonly expiration: number;
}

/** Has the store keep JWTs, too, so that this service sees their end, answers about them, and takes them at its own endpoints. */
function storeJwts(model: object, { clock }: AdapterParts): void {
  const { prototype, IN_PAYLOAD: names } = model as { prototype: StoredToken; IN_PAYLOAD: readonly string[] };
  const { save } = prototype;
  prototype.save = async function saveBoth(this: StoredToken & Record<string, unknown>) {
    const value = await save.call(this);
    if (this.format !== 'jwt') return value;
    const iat = Math.floor(clock() / 1_000);
    const members = names.filter((name) => this[name] !== undefined).map((name) => [name, this[name]]);
    await this.adapter.upsert(value, {
      iat,
      ...Object.fromEntries(members),
      exp: this.exp ?? iat + this.expiration,
    });
    return value;
  };
}

/** What a refresh token begins with: the library of Keycloak refuses one that does not look like a JWT, and reads nothing in it. */
const LIKE_A_JWT = ['{"typ":"opaque"}', '{"typ":"Refresh"}']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

/**
 * Has a proof for one use (DPoP, an assertion of a client) count once at all instances: the library looks and then writes, and here the
 * write itself tells.
 */
function countOnce(provider: Provider, { units, clock }: AdapterParts): void {
  const kind = 'ReplayDetection';
  Object.assign(provider.ReplayDetection, {
    unique: (iss: string, jti: string, exp: number) =>
      units.write(async ({ providerEntries }) => {
        const digest = entryKey(kind, `${iss} ${jti}`);
        await providerEntries.put({ digest, kind, payload: '{}', expiresAt: exp * 1_000 });
        return providerEntries.consume(digest, clock());
      }),
  });
}

/** What the library has for applications that want to know of a log-out. */
interface LogoutTeller {
  /** Sends a logout token. Throws if the application does not take it. */
  tellLogout(subject: string, session: string): Promise<void>;
}

/** The client with this name, which wants to know of log-outs. */
export async function logoutTeller(provider: Provider, name: string): Promise<LogoutTeller | undefined> {
  return (await provider.Client.find(name)) as unknown as LogoutTeller | undefined;
}

/** The library with these keys. Nothing of the protocol is written here but what hangs on tickets. */
export function createProvider(
  parts: AdapterParts,
  keys: readonly JWK[],
  fetch: Configuration['fetch'] = fetchKeySet,
): Provider {
  const provider = new Provider(parts.issuer, { ...configuration(parts, keys), fetch });
  const client = provider.Client.prototype as unknown as LogoutTeller & {
    compareClientSecret(this: { clientSecret?: string }, secret: string): boolean;
    backchannelLogout: LogoutTeller['tellLogout'];
  };
  client.tellLogout = client.backchannelLogout;
  client.backchannelLogout = async () => undefined;
  client.compareClientSecret = function compare(secret) {
    const digest = Buffer.from(this.clientSecret ?? '', 'hex');
    return digest.length > 0 && timingSafeEqual(digestOfSecret(secret), digest);
  };
  for (const model of [provider.AccessToken, provider.ClientCredentials]) storeJwts(model, parts);
  const refreshToken = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  refreshToken.generateTokenId = () => `${LIKE_A_JWT}.${randomBytes(32).toString('base64url')}`;
  countOnce(provider, parts);
  // Accounts tell the claims of the scopes, also by the names that an application has for them: nothing is left to choose.
  const claims = provider.Claims.prototype as unknown as { result(): Promise<object> };
  const { result } = claims;
  claims.result = async function all(this: { available: { readonly sub: string } }) {
    // The library alone tells the subject, since that may be pairwise.
    const { sub: _, ...others } = this.available;
    const told = Object.entries({ ...others, ...(await result.call(this)) });
    return Object.fromEntries(told.filter(([, value]) => value !== undefined));
  };
  // The session of a browser is its ticket: it has no other id, and a sign-in gives it another ticket.
  const session = provider.Session.prototype as unknown as {
    id: string;
    resetIdentifier(): void;
    sidFor(client: string): string;
  };
  session.sidFor = function sidFor(this: { uid: Digest }, name: string) {
    return sessionIdOf(factsNow()?.grantTicket ?? this.uid, name);
  };
  const { resetIdentifier } = session;
  session.resetIdentifier = function reset(this: { id: string }) {
    if (this.id !== factsNow()?.held?.ticket.digest) resetIdentifier.call(this as never);
  };
  return provider;
}
