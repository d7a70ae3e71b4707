import { type CryptoKey, createLocalJWKSet, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose';
import { HttpClient } from '../../core/http-client.ts';
import type { ProviderConfiguration } from './load.ts';
import { ProviderUnavailable } from './provider-unavailable.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Milliseconds after which the keys are fetched again. */
const FRESH_FOR = 10 * MINUTE;
/** Milliseconds for which keys are used while newer ones cannot be fetched. */
const USABLE_FOR = 60 * MINUTE;
/** A token with an unknown key makes the service fetch the keys again, once in this many milliseconds at most. */
const SEARCH_EVERY = 30 * SECOND;
/** Milliseconds after a failed fetch in which a further one is not tried. */
const RETRY_AFTER = 5 * SECOND;

/** The most bytes of an answer of a provider. */
const LONGEST = 256 * 1_024;

interface KeySetParts {
  /** The identifier of the provider, for messages. */
  readonly provider: string;
  /** Fetches the key set (RFC 7517 section 5). */
  readonly fetch: () => Promise<unknown>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * The public keys of a provider, fetched when a token first needs them. While the provider is down, tokens with a known key are verified
 * for an hour.
 */
export class KeySet {
  readonly #parts: KeySetParts;
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;
  /** Why the last fetch failed; undefined after a success. */
  #failure: Error | undefined;

  constructor(parts: KeySetParts) {
    this.#parts = parts;
  }

  /**
   * The key that signed a token with this header; undefined if the provider has none. Throws {@link ProviderUnavailable} if that cannot
   * be known now.
   */
  async keyFor(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey | undefined> {
    if (this.#age(this.#fetchedAt) >= FRESH_FOR) await this.#fetch(RETRY_AFTER);
    const found = await this.#find(header, token);
    if (found !== undefined) return found;
    if (!(await this.#fetch(SEARCH_EVERY))) return this.#unknown();
    return (await this.#find(header, token)) ?? this.#unknown();
  }

  #age(since: number): number {
    return this.#parts.clock() - since;
  }

  /** Throws after a failed fetch: the provider may have newer keys. */
  #unknown(): undefined {
    if (this.#failure !== undefined) throw this.#unavailable();
    return undefined;
  }

  #unavailable(): ProviderUnavailable {
    const why = this.#failure?.message ?? 'its keys were not fetched';
    const message = `the keys of the provider ${this.#parts.provider} cannot be read: ${why}`;
    return new ProviderUnavailable(message, { cause: this.#failure });
  }

  async #find(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey | undefined> {
    if (this.#keys === undefined || this.#age(this.#fetchedAt) > USABLE_FOR) throw this.#unavailable();
    try {
      return await this.#keys(header, token);
    } catch {
      // No key fits, several fit a token that names none, or the key cannot be read.
      return undefined;
    }
  }

  /** Fetches the keys, unless that was tried less than `pause` milliseconds ago. Returns whether it waited for a fetch. */
  async #fetch(pause: number): Promise<boolean> {
    if (this.#fetching === undefined) {
      if (this.#age(this.#triedAt) < pause) return false;
      this.#triedAt = this.#parts.clock();
      this.#fetching = this.#replace().finally(() => {
        this.#fetching = undefined;
      });
    }
    await this.#fetching;
    return true;
  }

  async #replace(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet((await this.#parts.fetch()) as never);
      this.#fetchedAt = this.#parts.clock();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error as Error;
    }
  }
}

type Reached = Pick<ProviderConfiguration, 'issuer' | 'ca' | 'deadline'>;

async function jsonAt(url: string, { ca, deadline }: Reached): Promise<Record<string, unknown>> {
  const client = new HttpClient({ url, ca, deadline, connections: 1, longest: LONGEST });
  try {
    const { status, body } = await client.ask({ method: 'GET', path: '' });
    if (status !== 200) throw new Error(`${url} answers ${status}`);
    if (typeof body !== 'object' || body === null) throw new Error(`${url} answers no JSON object`);
    return body as Record<string, unknown>;
  } finally {
    client.close();
  }
}

const isHttps = (url: string) => URL.canParse(url) && new URL(url).protocol === 'https:';

/** Fetches the key set of an issuer, from where its metadata say (OpenID Connect Discovery 1.0 section 4). */
export async function fetchKeySet(reached: Reached): Promise<unknown> {
  const { issuer } = reached;
  const metadata = await jsonAt(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, reached);
  if (metadata.issuer !== issuer)
    throw new Error(`it calls itself ${JSON.stringify(metadata.issuer)}, and not ${issuer}`);
  const { jwks_uri: uri } = metadata;
  if (typeof uri !== 'string' || !URL.canParse(uri) || (isHttps(issuer) && !isHttps(uri)))
    throw new Error('its metadata have no jwks_uri with https');
  return jsonAt(uri, reached);
}
