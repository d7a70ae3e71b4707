import assert from 'node:assert/strict';
import * as oidc from 'openid-client';
import type { ApplicationSettings, Flow } from '../../../src/capabilities/oidc-provider/application.ts';
import { newClientSecret } from '../../../src/core/identity/client-secret.ts';
import { formOn, Visitor } from '../../faces/pages/browse.ts';
import type { TestService } from '../../service/start.ts';

/** The issuer of the services under test. No service is there: requests go to the service itself, with its own `Host`. */
export const ISSUER = 'https://id.example.org/auth/realms/alfresco';
export const ORIGIN = new URL(ISSUER).origin;

export const PROVIDER = { TESSERA_ISSUER: ORIGIN };

/** The address of an application, where nothing listens. */
export const REDIRECT = 'https://app.example.net/callback';

/** The settings of an application, as far as a test has its own. */
export type WrittenSettings = Partial<Omit<ApplicationSettings, 'flows'>> & {
  readonly flows?: readonly Flow[];
};

/** Registers an application, and gives its secret; undefined for a public one. */
export async function addApplication(
  { store }: Pick<TestService, 'store'>,
  name: string,
  settings: WrittenSettings = {},
): Promise<string | undefined> {
  const { secret, digest } = newClientSecret();
  const hasSecret = settings.public !== true && settings.jwks === undefined;
  await store.write(async ({ clients, applications }) => {
    await clients.add({ name, secretDigest: hasSecret ? digest : undefined, addedAt: Date.now() });
    await applications.put(name, { redirectUris: [REDIRECT], ...settings } as ApplicationSettings);
  });
  return hasSecret ? secret : undefined;
}

/** What an application has of a sign-in that it began. */
export interface Begun {
  /** The path at the service to which it sends the browser. */
  readonly path: string;
  readonly checks: oidc.AuthorizationCodeGrantChecks;
}

/** An application: the certified client `openid-client`, whose requests go to the service under test. */
export class RelyingParty {
  readonly configuration: oidc.Configuration;
  readonly #service: Pick<TestService, 'url'>;

  constructor(service: Pick<TestService, 'url'>, configuration: oidc.Configuration) {
    this.#service = service;
    this.configuration = configuration;
  }

  static async discover(
    service: Pick<TestService, 'url'>,
    name: string,
    authentication?: oidc.ClientAuth,
    headers: Record<string, string> = {},
  ): Promise<RelyingParty> {
    const send: oidc.CustomFetch = (url, options) =>
      fetch(url.replace(ORIGIN, service.url), {
        ...(options as RequestInit),
        headers: { ...options.headers, ...headers },
      });
    const configuration = await oidc.discovery(new URL(ISSUER), name, {}, authentication, {
      [oidc.customFetch]: send,
    });
    return new RelyingParty(service, configuration);
  }

  /** Begins a sign-in by code and PKCE. */
  async begin(parameters: Record<string, string> = {}): Promise<Begun> {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const expectedState = oidc.randomState();
    const expectedNonce = oidc.randomNonce();
    const url = oidc.buildAuthorizationUrl(this.configuration, {
      redirect_uri: REDIRECT,
      scope: 'openid profile email groups',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      ...parameters,
    });
    return {
      path: pathOf(url.href),
      checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true },
    };
  }

  /** Has the visitor sign in, consent if asked to, and takes the tokens. */
  async signIn(visitor: Visitor, parameters: Record<string, string> = {}, user = 'anna') {
    const begun = await this.begin(parameters);
    return this.tokensFor(await goThrough(visitor, begun.path, user), begun);
  }

  tokensFor(callback: string, { checks }: Begun) {
    return oidc.authorizationCodeGrant(this.configuration, new URL(callback), checks);
  }

  visitor(): Visitor {
    return new Visitor(this.#service);
  }
}

/** The path, with its query, of an address of the issuer. */
export function pathOf(address: string): string {
  assert.ok(address.startsWith(`${ORIGIN}/`) || address.startsWith('/'), address);
  return address.startsWith('/') ? address : address.slice(ORIGIN.length);
}

/** Where an answer leads: by a redirect, or by a page that leads on. */
export function leadsTo(response: Response): string | undefined {
  return (
    response.headers.get('location') ?? response.headers.get('refresh')?.replace(/^0; url=/, '') ?? undefined
  );
}

/** Follows a sign-in of this user through all pages, to the address of the application at which it ends. */
export async function goThrough(
  visitor: Visitor,
  path: string,
  user = 'anna',
  decision = 'yes',
  code?: () => string,
): Promise<string> {
  let at = path;
  for (let step = 0; step < 12; step += 1) {
    let response = await visitor.get(at);
    const page = response.status === 200 && leadsTo(response) === undefined ? await response.text() : '';
    if (formOn(page, '/portal/login'))
      response = await visitor.post('/portal/login', {
        ...formOn(page, '/portal/login'),
        username: user,
        password: 'correct-horse-battery',
      });
    else if (code !== undefined && formOn(page, '/portal/second-factor'))
      response = await visitor.post('/portal/second-factor', {
        ...formOn(page, '/portal/second-factor'),
        code: code(),
      });
    else if (formOn(page, '/portal/applications/consent'))
      response = await visitor.post('/portal/applications/consent', {
        ...formOn(page, '/portal/applications/consent'),
        decision,
      });
    const to = leadsTo(response);
    if (to === undefined) assert.fail(`${at} answers ${response.status}: ${page || (await response.text())}`);
    if (to.startsWith('https://app.example.net')) return to;
    at = pathOf(to);
  }
  return assert.fail('the sign-in does not end');
}
