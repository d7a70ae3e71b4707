import * as client from 'openid-client';
import { HttpClient } from '../../core/http-client.ts';
import type { ProviderConfiguration } from './load.ts';
import { ProviderUnavailable } from './provider-unavailable.ts';

/** How many seconds the clocks of a provider and of this service may differ. */
const CLOCK_TOLERANCE = 30;
/** Milliseconds after which the metadata of a provider are read again. */
const FRESH_FOR = 60 * 60_000;
/** The most bytes of an answer of a provider. */
const LONGEST = 1_024 * 1_024;

/** The causes of an error, itself first. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let each = error; each instanceof Error; each = each.cause) yield each;
}

/** An identity provider, as the library `openid-client` talks to it. */
export class OpenIdProvider {
  readonly configuration: ProviderConfiguration;
  /** Epoch milliseconds. */
  readonly #clock: () => number;
  #metadata: client.ServerMetadata | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<client.ServerMetadata> | undefined;

  constructor(configuration: ProviderConfiguration, clock: () => number) {
    this.configuration = configuration;
    this.#clock = clock;
  }

  /** The metadata of the provider (OpenID Connect Discovery 1.0), read when they are first needed. Throws {@link ProviderUnavailable}. */
  async discovered(): Promise<client.ServerMetadata> {
    const metadata = this.#metadata;
    if (metadata !== undefined && this.#clock() - this.#readAt < FRESH_FOR) return metadata;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    try {
      return await this.#reading;
    } catch (error) {
      // Metadata hardly ever change: while they cannot be read, the old ones are as good.
      if (metadata !== undefined) return metadata;
      throw error;
    }
  }

  async #read(): Promise<client.ServerMetadata> {
    const { issuer, clientId } = this.configuration;
    const discovered = await client
      .discovery(new URL(issuer), clientId, undefined, client.None(), {
        execute: this.#insecureIfLoopback(),
        [client.customFetch]: this.#fetch,
      })
      .catch((error: unknown) => {
        const causes = [...causesOf(error)];
        const cause = causes.find((each) => each instanceof ProviderUnavailable) ?? causes.at(-1);
        throw new ProviderUnavailable(cause?.message ?? 'its metadata cannot be read', { cause: error });
      });
    const metadata = discovered.serverMetadata();
    if (metadata.issuer !== issuer)
      throw new ProviderUnavailable(
        `it names itself ${JSON.stringify(metadata.issuer)}: write that as "issuer" in TESSERA_PROVIDERS`,
      );
    this.#metadata = metadata;
    this.#readAt = this.#clock();
    return metadata;
  }

  /** Only an issuer on this machine may have `http:`; the document is refused otherwise. */
  #insecureIfLoopback(): ((configured: client.Configuration) => void)[] {
    return this.configuration.issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  }

  /**
   * How the library talks to the provider in one sign-in. It is made anew each time, so that the keys are read anew: they may have
   * changed a moment ago.
   */
  configured(metadata: client.ServerMetadata): client.Configuration {
    const { clientId, clientSecret, algorithms } = this.configuration;
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const byBasic = methods.includes('client_secret_basic');
    const configured = new client.Configuration(
      { ...metadata, id_token_signing_alg_values_supported: [...algorithms] },
      clientId,
      {
        [client.clockTolerance]: CLOCK_TOLERANCE,
        [client.clockSkew]: Math.round((this.#clock() - Date.now()) / 1_000),
      },
      clientSecret === undefined
        ? client.None()
        : byBasic
          ? client.ClientSecretBasic(clientSecret)
          : client.ClientSecretPost(clientSecret),
    );
    // Without it the signature of the ID token is not looked at, since it came over TLS.
    client.enableNonRepudiationChecks(configured);
    for (const extension of this.#insecureIfLoopback()) extension(configured);
    configured[client.customFetch] = this.#fetch;
    return configured;
  }

  readonly #fetch: client.CustomFetch = async (address, { method, headers, body }) => {
    const { ca, deadline } = this.configuration;
    const url = new URL(address);
    const server = new HttpClient({ url: url.origin, ca, deadline, connections: 1, longest: LONGEST });
    const { authorization } = headers;
    try {
      const { status, body: answered } = await server.ask({
        method: method === 'POST' ? 'POST' : 'GET',
        path: url.pathname + url.search,
        ...(authorization !== undefined && { authorization }),
        ...(body && { body: String(body), contentType: 'application/x-www-form-urlencoded' }),
      });
      if (status >= 500 || status === 429 || answered === undefined)
        throw new Error(
          answered === undefined ? `it answers ${status} without JSON` : `it answers ${status}`,
        );
      return Response.json(answered, { status });
    } catch (error) {
      throw new ProviderUnavailable(`${url.host}${url.pathname}: ${(error as Error).message}`, {
        cause: error,
      });
    } finally {
      server.close();
    }
  };
}
