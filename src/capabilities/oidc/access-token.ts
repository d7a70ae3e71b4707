import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import { fetchKeySet, KeySet } from './key-set.ts';
import type { ProviderConfiguration } from './load.ts';
import { type LogoutClaims, logoutClaimsIn } from './logout-token.ts';
import { personFrom } from './person.ts';
import { ProviderUnavailable } from './provider-unavailable.ts';

interface TokenIssuer {
  readonly provider: ProviderConfiguration;
  readonly keys: KeySet;
}

interface VerifiedToken {
  readonly provider: ProviderConfiguration;
  readonly claims: JWTPayload & { readonly sub: string };
  /** When it expires, in epoch milliseconds. */
  readonly expiresAt: number;
}

interface TokenPerson extends Omit<VerifiedToken, 'claims'> {
  readonly person: ExternalPerson;
}

interface TokenFault {
  /** What is wrong, and how to mend it. It contains nothing of the token. */
  readonly fault: string;
  /** Whether a provider signed the token. If not, its bearer may have forged it. */
  readonly isGenuine: boolean;
}

/** The longest token, in characters. The fields of a request are limited to twice as much. */
const LONGEST = 8_192;
const TOO_LONG = `the token is longer than ${LONGEST} characters`;
/** How many seconds the clocks of a provider and of this machine may differ. */
const CLOCK_SKEW = 30;

/** The types of access tokens in their header: RFC 9068 section 2.1, and what providers before it write. Some write none. */
const TYPES: readonly (string | undefined)[] = ['at+jwt', 'application/at+jwt', 'jwt', undefined];
/** Claims that only ID tokens have (OpenID Connect Core 1.0 sections 2, 3.1.3.6 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

const NO_SUBJECT = 'the token names no subject';

/** What is said of a fault of a claim. The claims that are not here have no mend of their own. */
const CLAIM_FAULTS: Readonly<Record<string, string>> = {
  aud: 'the token is for another audience: have the provider issue it for this service, or name the audience in TESSERA_PROVIDERS',
  exp: 'the token has no time at which it expires',
  nbf: 'the token is not valid yet: set the clocks of the provider and of this service',
  sub: NO_SUBJECT,
};

const forged = (fault: string): TokenFault => ({ fault, isGenuine: false });
const refused = (fault: string): TokenFault => ({ fault, isGenuine: true });

const NO_AUDIENCES =
  'TESSERA_PROVIDERS names no audiences for this provider: without them no access token is for this service';

const OPAQUE = forged(
  'it is neither a ticket nor a JWT: have the provider issue access tokens as JWTs (RFC 9068), such as by an audience for this service',
);

/** What is wrong with a token that could be verified up to the fault that jose found. */
function faultFrom(error: unknown): TokenFault {
  if (error instanceof errors.JWTExpired)
    return refused('the token has expired: get a new one from the provider');
  if (error instanceof errors.JWTClaimValidationFailed)
    return refused(CLAIM_FAULTS[error.claim] ?? `the claim ${error.claim} is not as it has to be`);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return forged('it is signed with an algorithm that TESSERA_PROVIDERS does not name for this provider');
  if (error instanceof ProviderUnavailable) throw error;
  // The platform throws errors of its own for keys that it does not take, such as short ones.
  return forged('its signature is not that of the provider');
}

/** Why a genuine JWT is no access token that its bearer alone may use; undefined if it is one. */
function faultOfKind(
  { clientId }: ProviderConfiguration,
  type: string | undefined,
  claims: JWTPayload,
): TokenFault | undefined {
  if (claims.cnf !== undefined)
    return refused(
      'it is bound to a key (claim cnf): have the provider issue tokens without it, since Bearer proves no key',
    );
  if (type === 'at+jwt' || type === 'application/at+jwt') return undefined;
  const isForClient = [claims.aud].flat().includes(clientId);
  const hasScope = claims.scope !== undefined || claims.scp !== undefined;
  const isIdToken = (isForClient && !hasScope) || ID_TOKEN_CLAIMS.some((name) => claims[name] !== undefined);
  // Keycloak says the kind of a token in a claim.
  if (isIdToken || (claims.typ !== undefined && claims.typ !== 'Bearer'))
    return refused('it is no access token: send the access token, not the ID token or the refresh token');
  return undefined;
}

/** Verifies tokens of providers: access tokens (RFC 9068 section 4), and logout tokens. */
export class AccessTokens {
  readonly #inForce: () => readonly ProviderConfiguration[];
  readonly #clock: () => number;
  #providers: readonly ProviderConfiguration[] = [];
  #issuers: ReadonlyMap<string, TokenIssuer> = new Map();

  /** `inForce` returns the providers: another list after a change. `clock` gives epoch milliseconds. */
  constructor(inForce: () => readonly ProviderConfiguration[], clock: () => number) {
    this.#inForce = inForce;
    this.#clock = clock;
  }

  /** The person whom this token names; why it is refused; or why the keys of its provider, which it needs, cannot be read. */
  async personBy(presented: string): Promise<TokenPerson | TokenFault | { readonly unavailable: string }> {
    try {
      const verified = await this.verify(presented);
      if ('fault' in verified) return verified;
      const { claims, ...token } = verified;
      const person = personFrom(token.provider, claims);
      return 'fault' in person ? refused(person.fault) : { ...token, person };
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      return { unavailable: error.message };
    }
  }

  /** What this token says, or why it is refused. Throws {@link ProviderUnavailable} if its provider has to be asked and cannot be. */
  async verify(token: string): Promise<VerifiedToken | TokenFault> {
    if (token.length > LONGEST) return forged(TOO_LONG);
    let unverified: { readonly issuer: unknown; readonly type: string | undefined; readonly crit: unknown };
    try {
      const { typ, crit } = decodeProtectedHeader(token);
      unverified = { issuer: decodeJwt(token).iss, type: typ?.toLowerCase(), crit };
    } catch {
      return OPAQUE;
    }
    const issuer = this.#issuerOf(unverified.issuer);
    if (issuer === undefined) return forged('no provider in TESSERA_PROVIDERS has the issuer of this token');
    if (issuer.provider.audiences.length === 0) return forged(NO_AUDIENCES);
    const { type, crit } = unverified;
    if (!TYPES.includes(type) || crit !== undefined)
      return forged('its header says that it is another kind of token than an access token');
    const claims = await this.#claimsOf(token, issuer, issuer.provider.audiences, ['exp', 'sub']);
    if ('fault' in claims) return claims as TokenFault;
    const fault = faultOfKind(issuer.provider, type, claims);
    if (fault !== undefined) return fault;
    const { sub, exp = 0 } = claims;
    if (typeof sub !== 'string' || sub === '') return refused(NO_SUBJECT);
    return { provider: issuer.provider, claims: { ...claims, sub }, expiresAt: exp * 1_000 };
  }

  /**
   * What this logout token of the provider says, or why it is refused (OpenID Connect Back-Channel Logout 1.0 section 2.6). Undefined
   * without such a provider. Throws {@link ProviderUnavailable} as `verify` does.
   */
  async verifyLogout(token: string, id: string): Promise<LogoutClaims | TokenFault | undefined> {
    const provider = this.#inForce().find((each) => each.id === id && each.signIn);
    if (provider === undefined) return undefined;
    const issuer = this.#issuerOf(provider.issuer) as TokenIssuer;
    if (token.length > LONGEST) return forged(TOO_LONG);
    const claims = await this.#claimsOf(token, issuer, [provider.clientId], ['iat', 'exp', 'events']);
    if ('fault' in claims) return claims as TokenFault;
    const logout = logoutClaimsIn(provider, decodeProtectedHeader(token).typ, claims);
    if ('fault' in logout) return refused(logout.fault);
    return { ...logout, until: logout.until + CLOCK_SKEW * 1_000 };
  }

  #issuerOf(name: unknown): TokenIssuer | undefined {
    const providers = this.#inForce();
    if (providers !== this.#providers) {
      const clock = this.#clock;
      const keysOf = (provider: ProviderConfiguration) =>
        new KeySet({ provider: provider.id, fetch: () => fetchKeySet(provider), clock });
      this.#issuers = new Map(
        providers.map((provider) => [provider.issuer, { provider, keys: keysOf(provider) }]),
      );
      this.#providers = providers;
    }
    return typeof name === 'string' ? this.#issuers.get(name) : undefined;
  }

  /** The claims of a token that this provider signed for these audiences. */
  async #claimsOf(
    token: string,
    { provider, keys }: TokenIssuer,
    audience: readonly string[],
    requiredClaims: string[],
  ): Promise<JWTPayload | TokenFault> {
    try {
      const verified = await jwtVerify(
        token,
        async (header, flattened) => {
          const key = await keys.keyFor(header, flattened);
          if (key === undefined) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          issuer: provider.issuer,
          audience: [...audience],
          algorithms: [...provider.algorithms],
          clockTolerance: CLOCK_SKEW,
          currentDate: new Date(this.#clock()),
          requiredClaims,
        },
      );
      return verified.payload;
    } catch (error) {
      return faultFrom(error);
    }
  }
}
