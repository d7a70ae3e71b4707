import * as client from 'openid-client';
import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import type { Digest } from '../../core/domain/ticket.ts';
import type { ExternalUserRules } from '../people/rules/external-users.ts';
import type { ProviderConfiguration } from './load.ts';
import { sessionDigest } from './logout-token.ts';
import { causesOf, OpenIdProvider } from './openid-provider.ts';
import { isComplete, type PersonClaims, personFrom } from './person.ts';
import { ProviderUnavailable } from './provider-unavailable.ts';

/** Seconds after which a person may try again with a provider that did not answer. */
const RETRY_AFTER = 10;

/** What a browser keeps of a sign-in until the provider sends it back. */
export interface SignInAttempt {
  /** The address to which the provider sends the browser back. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
  /** When it began, in epoch milliseconds, if the person has to sign in anew at the provider, and not only be signed in. */
  readonly anewSince?: number;
}

/** A sign-in that has begun: the name of the provider, the address there, and what the browser keeps until it is back. */
export interface StartedSignIn {
  readonly name: string;
  readonly address: string;
  readonly attempt: SignInAttempt;
}

/** A person whom a provider has just signed in. */
interface SignedInPerson {
  readonly person: ExternalPerson;
  /** The session there, with which the ticket ends; undefined if the provider tells of none. */
  readonly session: Digest | undefined;
}

type SignInRefusal = Refusal<
  'provider_unavailable' | 'sign_in_declined' | 'sign_in_outdated' | 'sign_in_unproven' | 'clocks_differ'
>;

const TIMESTAMPS = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';

const unavailable = (reason: string) => refuse('provider_unavailable', { reason, retryAfter: RETRY_AFTER });

/** An error code of a provider (RFC 6749 section 4.1.2.1) as far as it may stand in a log. */
const codeIn = (error: string) => (/^[a-z_]{1,40}$/.test(error) ? error : 'an error without a code');

/** Whether the fault is that the person signed in at the provider before it was asked to. */
const isOfLongAgo = ({ cause }: Error) =>
  typeof cause === 'object' && cause !== null && 'claim' in cause && cause.claim === 'auth_time';

function refusalFrom(error: unknown): SignInRefusal {
  const causes = [...causesOf(error)];
  const down = causes.find((each) => each instanceof ProviderUnavailable);
  if (down !== undefined) return unavailable(down.message);
  if (error instanceof client.AuthorizationResponseError) {
    const { error: code } = error;
    if (code === 'server_error' || code === 'temporarily_unavailable')
      return unavailable(`it answers ${code}`);
    return refuse('sign_in_declined', { reason: `the provider answers ${codeIn(code)}` });
  }
  if (error instanceof client.ResponseBodyError)
    return refuse('sign_in_unproven', { reason: `the token endpoint answers ${codeIn(error.error)}` });
  if (causes.some(isOfLongAgo))
    return refuse('sign_in_unproven', { reason: 'the provider did not ask the person anew' });
  if (causes.some((each) => 'code' in each && each.code === TIMESTAMPS))
    return refuse('clocks_differ', { reason: 'the ID token has expired, or is not valid yet' });
  const protocolFaults = causes.filter((each) => 'code' in each && String(each.code).startsWith('OAUTH_'));
  if (protocolFaults.length === 0) throw error;
  return refuse('sign_in_unproven', { reason: (protocolFaults.at(-1) as Error).message });
}

/** Signs people in at one identity provider: authorization code with PKCE (OpenID Connect Core 1.0 section 3.1). */
export class SignInProvider {
  readonly configuration: ProviderConfiguration;
  readonly rules: ExternalUserRules;
  readonly #provider: OpenIdProvider;
  readonly #clock: () => number;

  /** `clock` gives epoch milliseconds. */
  constructor(configuration: ProviderConfiguration, rules: ExternalUserRules, clock: () => number) {
    this.configuration = configuration;
    this.rules = rules;
    this.#provider = new OpenIdProvider(configuration, clock);
    this.#clock = clock;
  }

  /** Begins a sign-in that leads back to `redirectUri`. With `again` the provider has to ask anew a person who is signed in there. */
  async begin(redirectUri: string, again: boolean): Promise<StartedSignIn | SignInRefusal> {
    try {
      const configured = this.#provider.configured(await this.#provider.discovered());
      const verifier = client.randomPKCECodeVerifier();
      const attempt = {
        redirectUri,
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier,
        ...(again && { anewSince: this.#clock() }),
      };
      const address = client.buildAuthorizationUrl(configured, {
        redirect_uri: redirectUri,
        scope: this.configuration.scopes.join(' '),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // With the second one the provider tells when the person signed in (OpenID Connect Core 1.0 section 3.1.2.1).
        ...(again && { prompt: 'login', max_age: '0' }),
      });
      return { name: this.configuration.name, address: address.href, attempt };
    } catch (error) {
      return refusalFrom(error);
    }
  }

  /** The person whom the provider names in its answer: the arguments with which it sent the browser back. */
  async finish(
    { redirectUri, state, nonce, verifier, anewSince }: SignInAttempt,
    answer: Readonly<Record<string, string>>,
  ): Promise<SignedInPerson | SignInRefusal> {
    if (answer.state !== state)
      return refuse('sign_in_outdated', { reason: 'the state is not the one of this browser' });
    try {
      const configured = this.#provider.configured(await this.#provider.discovered());
      const tokens = await client.authorizationCodeGrant(
        configured,
        new URL(`${redirectUri}?${new URLSearchParams(answer)}`),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          ...(anewSince !== undefined && { maxAge: Math.ceil((this.#clock() - anewSince) / 1_000) }),
        },
      );
      const ofToken = tokens.claims() as PersonClaims;
      const claims = await this.#withUserInfo(configured, tokens.access_token, ofToken);
      const person = personFrom(this.configuration, claims);
      if ('fault' in person) return refuse('sign_in_unproven', { reason: person.fault });
      const { sid } = ofToken;
      const { issuer } = this.configuration;
      return { person, session: typeof sid === 'string' ? sessionDigest(issuer, sid) : undefined };
    } catch (error) {
      return refusalFrom(error);
    }
  }

  /**
   * The address at the provider where a person signs out, and which then leads to `back`. Undefined if the document asks for no
   * sign-out there, or if the provider has no such address or does not answer.
   */
  async signOutAddress(back: string): Promise<Pick<StartedSignIn, 'name' | 'address'> | undefined> {
    const { name, signOut } = this.configuration;
    if (!signOut) return undefined;
    try {
      const metadata = await this.#provider.discovered();
      if (metadata.end_session_endpoint === undefined) return undefined;
      const configured = this.#provider.configured(metadata);
      const { href } = client.buildEndSessionUrl(configured, { post_logout_redirect_uri: back });
      return { name, address: href };
    } catch (error) {
      if (error instanceof ProviderUnavailable) return undefined;
      throw error;
    }
  }

  /** Adds what the userinfo endpoint says, if the ID token lacks the name or the groups. */
  async #withUserInfo(
    configured: client.Configuration,
    accessToken: string,
    claims: PersonClaims,
  ): Promise<PersonClaims> {
    const { userinfo_endpoint: endpoint } = configured.serverMetadata();
    if (endpoint === undefined || isComplete(claims, this.configuration)) return claims;
    const { sub } = claims;
    return { ...claims, ...(await client.fetchUserInfo(configured, accessToken, sub)), sub };
  }
}
