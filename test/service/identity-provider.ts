import assert from 'node:assert/strict';
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { decodeJwt, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import Provider, { type ClientMetadata, type Configuration } from 'oidc-provider';
import { afterwards } from './afterwards.ts';
import { providerMemory } from './provider-memory.ts';
import { CLAIMS, grantAll, interact, page, SIGN_OUT } from './provider-pages.ts';

/** What the provider says about a person, besides the subject. */
export type Claims = Readonly<Record<string, unknown>>;

/** The cookies of a browser at the provider, by name. */
export type ProviderCookies = Map<string, string>;

/** Returns the ID token to send in place of the provider's own, whose claims it gets. */
export type Forge = (claims: JWTPayload) => string | Promise<string>;

interface Options {
  /** Whether the claims stand at the userinfo endpoint only. */
  readonly claimsInUserInfo?: boolean;
  /** Whether it leaves out the parameter `iss` of RFC 9207, as old providers do. */
  readonly withoutIssuerParameter?: boolean;
}

/** The client with which programs get access tokens. Nothing listens at its address. */
const PROGRAM = { id: 'program', address: 'http://127.0.0.1/program' };

interface KeyPair {
  readonly privateKey: JWK;
  readonly publicKey: JWK;
}

function newKeys(): KeyPair {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const named = { kid: randomBytes(6).toString('hex'), alg: 'RS256', use: 'sig' };
  return {
    privateKey: { ...pair.privateKey.export({ format: 'jwk' }), ...named } as JWK,
    publicKey: { ...pair.publicKey.export({ format: 'jwk' }), ...named } as JWK,
  };
}

const HOUR = 3_600;

/** Access tokens for a resource are JWTs. */
const RESOURCES = {
  enabled: true,
  useGrantedResource: () => true,
  getResourceServerInfo: (_: unknown, resource: string) => ({
    ...{ scope: 'read', audience: resource, accessTokenTTL: HOUR, accessTokenFormat: 'jwt' as const },
    jwt: { sign: { alg: 'RS256' as const } },
  }),
};

/** A real identity provider (the package `oidc-provider`) over HTTP on a port of this machine. It asks for no password. */
export class IdentityProvider {
  /** The people by subject. A test may change them at any time. */
  readonly people = new Map<string, Claims>();
  /** The paths that were asked for, in order. */
  readonly asked: string[] = [];
  readonly #options: Options;
  readonly #memory = providerMemory();
  readonly #clients = new Map<string, ClientMetadata>();
  readonly #held = new Map<string, Promise<void>>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #port = 0;
  #keys: KeyPair[] = [newKeys()];
  #forge: Forge | undefined;
  /** Made when it is first needed after a change of its configuration. */
  #running: { readonly provider: Provider; readonly listener: RequestListener } | undefined;

  constructor(options: Options = {}) {
    this.#options = options;
    this.register({ client_id: PROGRAM.id, redirect_uris: [PROGRAM.address] });
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The public key in force, as the key set has it. */
  get publicKey(): JWK {
    return (this.#keys[0] as KeyPair).publicKey;
  }

  /** Listens: at first on a free port, then always on the same one. */
  async start(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening, and drops every connection. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Registers a client for the authorization code, in place of one of its id; one without a secret as a public client. */
  register(client: ClientMetadata): void {
    const isPublic = client.client_secret === undefined;
    this.#clients.set(client.client_id, {
      ...(isPublic && { token_endpoint_auth_method: 'none' }),
      ...client,
    });
    this.#running = undefined;
  }

  /** Signs with a new key from now on. The key set keeps the old ones if `keepOld` says so. */
  rotateKeys(keepOld = false): void {
    this.#keys = [newKeys(), ...(keepOld ? this.#keys : [])];
    this.#running = undefined;
  }

  /** Sends the ID tokens that this function makes; without one, those of the provider. */
  forgeIdTokens(forge?: Forge): void {
    this.#forge = forge;
  }

  /** Answers no request of this path until the returned function is called. */
  hold(path: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(path, promise);
    return () => {
      this.#held.delete(path);
      resolve();
    };
  }

  /** Signs claims with the key in force. `header` may say something else. */
  sign(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const [{ privateKey }] = this.#keys as [KeyPair];
    const { kid } = privateKey as { kid: string };
    const key = createPrivateKey({ key: privateKey as never, format: 'jwk' });
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key);
  }

  /**
   * An access token for this person: a JWT by the authorization code flow of a client for programs. The audience is an
   * absolute URI.
   */
  async accessToken(subject: string, audience: string): Promise<string> {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const common = { client_id: PROGRAM.id, redirect_uri: PROGRAM.address, resource: audience };
    const query = new URLSearchParams({
      ...{ ...common, response_type: 'code', scope: 'openid read', state: 'any' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    });
    const led = await this.signIn(`${this.issuer}/auth?${query}`, subject);
    const code = led.searchParams.get('code') ?? assert.fail(led.href);
    const grant = { ...common, grant_type: 'authorization_code', code, code_verifier: verifier };
    const body = new URLSearchParams(grant);
    const answer = (await (await fetch(`${this.issuer}/token`, { method: 'POST', body })).json()) as object;
    return 'access_token' in answer ? String(answer.access_token) : assert.fail(JSON.stringify(answer));
  }

  /**
   * Follows an authorization request through the pages of the provider, as a browser without JavaScript does. Returns the
   * address of the client to which they lead. Without a subject the person declines.
   */
  async signIn(address: string, subject?: string, cookies: ProviderCookies = new Map()): Promise<URL> {
    const act = subject === undefined ? 'cancel' : 'go';
    let next = new URL(address);
    let body: URLSearchParams | undefined;
    const visited: string[] = [];
    while (next.origin === this.issuer) {
      visited.push(next.href);
      if (visited.length > 12) assert.fail(`the pages lead nowhere: ${visited.join(' ')}`);
      const response = await visit(next, cookies, body);
      const location = response.headers.get('location');
      const text = await response.text();
      if (location === null && !text.includes('name="subject"')) assert.fail(`${next.href}: ${text}`);
      body = location === null ? new URLSearchParams({ subject: subject ?? '', act }) : undefined;
      next = new URL(location ?? next.href, next);
    }
    return next;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    this.asked.push(path);
    try {
      await this.#held.get(path);
      this.#running ??= this.#run();
      if (path.startsWith('/interaction/')) await interact(this.#running.provider, request, response);
      else this.#running.listener(request, response);
    } catch (fault) {
      response.writeHead(500).end(String(fault));
    }
  }

  #run() {
    const provider = new Provider(this.issuer, this.#configuration());
    provider.use(async (context, next) => {
      await next();
      const sent = context.body as {
        id_token?: string;
        authorization_response_iss_parameter_supported?: boolean;
      };
      if (context.path === '/token' && sent.id_token !== undefined && this.#forge !== undefined)
        sent.id_token = await this.#forge(decodeJwt(sent.id_token));
      if (!this.#options.withoutIssuerParameter) return;
      if (context.path.startsWith('/.well-known/'))
        delete sent.authorization_response_iss_parameter_supported;
      const location: string | undefined = context.response.get('location');
      if (location) context.response.set('location', location.replace(/&iss=[^&]*/, ''));
    });
    return { provider, listener: provider.callback() as RequestListener };
  }

  #configuration(): Configuration {
    return {
      adapter: this.#memory,
      clients: [...this.#clients.values()],
      jwks: { keys: this.#keys.map(({ privateKey }) => privateKey) } as NonNullable<Configuration['jwks']>,
      claims: CLAIMS,
      scopes: Object.keys(CLAIMS),
      conformIdTokenClaims: this.#options.claimsInUserInfo ?? false,
      cookies: { keys: ['signs the cookies of a test'] },
      pkce: { required: () => true },
      ttl: { AccessToken: HOUR, IdToken: HOUR, Interaction: HOUR, Session: HOUR, Grant: HOUR },
      findAccount: (_, subject) => ({
        accountId: subject,
        claims: () => ({ ...this.people.get(subject), sub: subject }),
      }),
      loadExistingGrant: grantAll,
      renderError: (context, out) => {
        context.type = 'html';
        context.body = page(JSON.stringify(out).replaceAll('<', '&lt;'));
      },
      extraTokenClaims: (_, token) =>
        'accountId' in token ? this.people.get(String(token.accountId)) : undefined,
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: RESOURCES,
        rpInitiatedLogout: SIGN_OUT,
      },
    };
  }
}

/** One request of a browser that keeps cookies and follows nothing. */
async function visit(address: URL, cookies: ProviderCookies, body?: URLSearchParams): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const post = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(address, { ...post, headers: { cookie }, redirect: 'manual' });
  for (const set of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

/** Starts an identity provider, which is stopped after the test. */
export async function startIdentityProvider(
  t: TestContext,
  options: Options = {},
): Promise<IdentityProvider> {
  const provider = new IdentityProvider(options);
  await provider.start();
  afterwards(t, () => provider.stop());
  return provider;
}
