import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { AdapterPayload } from 'oidc-provider';
import { Compile } from 'typebox/schema';
import { HttpClient, type RemoteAnswer } from '../../core/http-client.ts';
import { Type } from '../../core/schema.ts';
import { faultOfAddress, isNative } from './faults.ts';

const text = () => Type.Optional(Type.String());
const texts = () => Type.Optional(Type.Array(Type.String()));

/** The members of a document that count here (RFC 7591 section 2). The settings of the application say the rest. */
const validator = Compile(
  Type.Object({
    client_id: Type.String(),
    client_name: text(),
    application_type: text(),
    redirect_uris: Type.Array(Type.String(), { minItems: 1 }),
    post_logout_redirect_uris: texts(),
    grant_types: texts(),
    token_endpoint_auth_method: text(),
    token_endpoint_auth_signing_alg: text(),
    jwks: Type.Optional(Type.Object({})),
    jwks_uri: text(),
  }),
);

/** What a document says of its client, as the library knows clients. */
export type ClientDocument = AdapterPayload & { readonly redirect_uris: string[] };

/** Milliseconds. */
const DEADLINE = 3_000;
/** Bytes: of a document (as the draft recommends), and of a key set. */
const LONGEST = { document: 5 * 1_024, keys: 64 * 1_024 };

/** Seconds for which a document counts without another look at it: what its server says, within these bounds. */
const FRESH = { least: 60, usual: 600, most: 3_600 };
const MOST_CACHED = 100;

const LONGEST_NAME = 100;

/** Whether the address is public: it is not reserved for special use (RFC 6890), and an IPv6 address is in 2000::/3. */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(ipaddr.IPv6.parseCIDR('2000::/3'));
  return isGlobal && address.range() === 'unicast';
}

interface ReadingOptions {
  readonly longest?: number;
  readonly isAllowed?: (address: string) => boolean;
  readonly ca?: string;
}

/** Finds the addresses of a host, of which each has to be allowed. The connection goes to one of these, whatever the name says later. */
const allowedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const refused = error ? undefined : found.find(({ address }) => !isAllowed(address));
      const fault = error ?? (refused && new Error(`${host} is at ${refused.address}, which is not public`));
      const [first = { address: '', family: 0 }] = fault ? [] : found;
      if (options.all) done(fault ?? null, fault ? [] : found);
      else done(fault ?? null, first.address, first.family);
    });

/** Reads the metadata of this client from the document. Throws if the document describes another client, or has a member that it may not have. */
function documentIn(name: string, body: unknown): ClientDocument {
  if (!validator.Check(body)) {
    const [, [fault]] = validator.Errors(body);
    throw new Error(`it is no metadata of a client: ${fault?.instancePath} ${fault?.message}`);
  }
  if (body.client_id !== name) throw new Error('it is about another client: its client_id is another one');
  const { redirect_uris, post_logout_redirect_uris = [], client_name = '', application_type } = body;
  const { token_endpoint_auth_method = 'none', token_endpoint_auth_signing_alg, jwks, jwks_uri } = body;
  if (!/^(?:none|private_key_jwt)$/.test(token_endpoint_auth_method) || 'client_secret' in body)
    throw new Error('its client proves itself by a secret: only none and private_key_jwt are for a document');
  for (const address of [...redirect_uris, ...post_logout_redirect_uris]) {
    const fault = faultOfAddress(address, true);
    if (fault !== undefined) throw new Error(`its address "${address}" ${fault}`);
  }
  return {
    redirect_uris,
    post_logout_redirect_uris,
    application_type: application_type === 'native' || isNative(redirect_uris) ? 'native' : 'web',
    ...(client_name.length <= LONGEST_NAME && client_name.trim() !== '' && { client_name }),
    ...(body.grant_types !== undefined && { grant_types: body.grant_types }),
    token_endpoint_auth_method,
    ...(token_endpoint_auth_method !== 'none' && { token_endpoint_auth_signing_alg, jwks, jwks_uri }),
  } as ClientDocument;
}

/** Milliseconds for which the answer may be used again (RFC 9111 section 5.2.2.1). */
function freshFor({ cacheControl: field = '' }: RemoteAnswer): number {
  const isOff = /\bno-(?:store|cache)\b/.test(field);
  const [, age = isOff ? 0 : FRESH.usual] = /\bmax-age="?(\d{1,9})/.exec(field) ?? [];
  return 1_000 * Math.min(FRESH.most, Math.max(FRESH.least, isOff ? 0 : Number(age)));
}

/** The documents in which registered applications say what they are (draft-ietf-oauth-client-id-metadata-document-02). */
export class ClientDocuments {
  readonly #cache: LRUCache<string, ClientDocument>;

  /** `clock` gives epoch milliseconds. */
  constructor(clock: () => number) {
    this.#cache = new LRUCache<string, ClientDocument>({
      max: MOST_CACHED,
      perf: { now: clock },
      ttlResolution: 0,
      // Whoever waits gets the document even if others take its place in the cache meanwhile.
      ignoreFetchAbort: true,
      async fetchMethod(name, _, { options }) {
        const answer = await ClientDocuments.read(name);
        // The cache counts the last millisecond, too.
        options.ttl = freshFor(answer) - 1;
        return documentIn(name, answer.body);
      },
    });
  }

  /**
   * Reads JSON at an address that others choose: by https, without redirections, at public addresses alone. Throws an error that says
   * why it cannot.
   */
  static async read(address: string, options: ReadingOptions = {}): Promise<RemoteAnswer> {
    const { isAllowed = isPublicAddress, longest = LONGEST.document, ca } = options;
    const { protocol, hostname } = new URL(address);
    if (protocol !== 'https:') throw new Error('it is not at an https address');
    // No look-up is made for an address in place of a name.
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowed(host)) throw new Error(`${host} is not public`);
    const limits = { deadline: DEADLINE, connections: 1, longest };
    const client = new HttpClient({ url: address, ca, ...limits, lookup: allowedLookup(isAllowed) });
    try {
      const answer = await client.ask({ method: 'GET', path: '' });
      if (answer.status !== 200) throw new Error(`its server answers ${answer.status}`);
      return answer;
    } finally {
      client.close();
    }
  }

  /**
   * What the document at this client id says, as it was read within its time. Throws an error that says why it cannot be used; faults
   * are not cached.
   */
  async of(name: string): Promise<ClientDocument> {
    return (await this.#cache.fetch(name)) as ClientDocument;
  }
}

/** How the library reads the key sets that documents name (`jwks_uri`). It asks for nothing else. */
export async function fetchKeySet(address: string | URL | Request): Promise<Response> {
  const { body, cacheControl } = await ClientDocuments.read(String(address), { longest: LONGEST.keys });
  return Response.json(body, { headers: { 'cache-control': cacheControl ?? '' } });
}
