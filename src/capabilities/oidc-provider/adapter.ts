import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Provider, { type Adapter, type AdapterPayload, errors, type ResponseType } from 'oidc-provider';
import type { PageLook } from '../../core/domain/brand.ts';
import type { RequestClient } from '../../core/domain/request-origin.ts';
import { bytesOf, type Digest, digestFrom, type HeldTicket, isDigest } from '../../core/domain/ticket.ts';
import type { ReadUnit, WriteUnit } from '../../core/storage/store.ts';
import type { OpeningParts } from '../capability.ts';
import { type Application, type Flow, USUAL_FLOWS } from './application.ts';
import type { ClientDocument, ClientDocuments } from './client-documents.ts';
import { hasDocument, isNative } from './faults.ts';
import { entryKey, userIdOf } from './identifiers.ts';
import { AUTHORIZATION, DEVICE } from './settings.ts';
import type { KeyRing } from './signing-keys.ts';
import type { ProviderEntry } from './tables/entries.ts';
import type { ProviderTickets } from './tickets.ts';
import type { ProtocolUnits } from './units.ts';

/** The members of an error of the protocol (RFC 6749 section 5.2). */
export interface ProtocolFault {
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/** What the bridge knows of the request that the library answers. */
export interface RequestFacts {
  /** The live ticket of the browser. */
  readonly held: HeldTicket | undefined;
  readonly client: RequestClient;
  /** How pages look in the browser. */
  readonly look: PageLook;
  /** Why the library refuses the request, where it answers with a page. */
  fault?: ProtocolFault | undefined;
  /** The ticket that a grant of this request hangs on, if it is not that of the browser. */
  grantTicket?: Digest | undefined;
}

export const requestFacts = new WeakMap<IncomingMessage, RequestFacts>();

/** The facts of the request that is being answered; none outside of one. */
export function factsNow(): RequestFacts | undefined {
  const { ctx } = Provider;
  return ctx && requestFacts.get(ctx.req);
}

export interface AdapterParts {
  readonly units: ProtocolUnits;
  readonly tickets: ProviderTickets;
  readonly keys: KeyRing;
  readonly documents: ClientDocuments;
  readonly log: Pick<OpeningParts['log'], 'warn'>;
  readonly issuer: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const GRANT_TYPES: Readonly<Record<Flow, string>> = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  client_credentials: 'client_credentials',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
  implicit: 'implicit',
  password: 'password',
};

function authenticationOf({ secretDigest, settings }: Application) {
  if (settings.jwks !== undefined)
    return { token_endpoint_auth_method: 'private_key_jwt', jwks: settings.jwks } as const;
  if (secretDigest === undefined) return { token_endpoint_auth_method: 'none' } as const;
  // Not the secret, but what it is compared with: see `compareClientSecret`.
  const client_secret = Buffer.from(secretDigest).toString('hex');
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret } as const;
}

/** A registered application, as the library knows clients. Its document says what hangs on it, and may narrow the flows. */
function clientMetadata(application: Application, document?: ClientDocument): AdapterPayload {
  const { name, settings } = application;
  const { redirectUris, flows: all = USUAL_FLOWS } = settings;
  const { grant_types: grants } = document ?? {};
  const flows = all.filter((flow) => grants?.includes(GRANT_TYPES[flow]) !== false);
  const response_types: ResponseType[] = [];
  if (flows.includes('code')) response_types.push('code');
  if (flows.includes('implicit')) response_types.push('id_token', 'id_token token');
  return {
    application_type: isNative(redirectUris) ? 'native' : 'web',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: settings.postLogoutRedirectUris ?? [],
    ...authenticationOf(application),
    ...document,
    client_id: name,
    client_name: settings.title ?? document?.client_name ?? name,
    grant_types: flows.map((flow) => GRANT_TYPES[flow]),
    response_types,
    ...(settings.pairwise && { subject_type: 'pairwise' as const }),
    ...(settings.backchannelLogoutUri !== undefined && {
      backchannel_logout_uri: settings.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    application: settings,
  };
}

/** Marks a digest in place of an id. Only steps of a sign-in that is under way give such a one to the adapter. */
const BY_DIGEST = 'digest:';
const NAMED_BY_STEPS: ReadonlySet<string> = new Set(['DeviceCode', 'PushedAuthorizationRequest']);
const RESUMED: ReadonlySet<string> = new Set(['resume', 'device_resume', 'code_verification']);

/** The key of an entry, also of one that a step of a sign-in names by its key. */
function keyOf(kind: string, id: string): Buffer {
  const isKey = id.startsWith(BY_DIGEST) && NAMED_BY_STEPS.has(kind);
  if (isKey && RESUMED.has(Provider.ctx?.oidc.route ?? ''))
    return Buffer.from(id.slice(BY_DIGEST.length), 'hex');
  return entryKey(kind, id.startsWith(AS_OPAQUE) ? id.slice(AS_OPAQUE.length) : id);
}

/** Stands before a JWT where the library takes opaque tokens alone: the store knows both alike (RFC 7662 makes no difference). */
export const AS_OPAQUE = 'jwt:';

const userCodeKey = (userCode: string) => hash('sha256', `user code:${userCode}`, 'buffer');

/** Keeps what the protocol has to keep, as the library asks for it: one adapter for each kind. */
export class EntryAdapter implements Adapter {
  readonly #kind: string;
  readonly #parts: AdapterParts;

  constructor(kind: string, parts: AdapterParts) {
    this.#kind = kind;
    this.#parts = parts;
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#kind === 'Client') return this.#findClient(id);
    // A digest is no secret: only the browser that presents the ticket has its session.
    if (this.#kind === 'Session' && isDigest(id))
      return id === factsNow()?.held?.ticket.digest ? this.findByUid(id) : Promise.resolve(undefined);
    const key = keyOf(this.#kind, id);
    return this.#parts.units.read(async (unit) =>
      this.#payloadOf(unit, await unit.providerEntries.find(key), id),
    );
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    if (!isDigest(uid)) return undefined;
    return this.#parts.units.read((unit) => this.#findSession(unit, uid));
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#parts.units.read(async (unit) => {
      const entry = await unit.providerEntries.findByAlias(this.#kind, userCodeKey(userCode));
      if (entry === undefined) return undefined;
      const payload = await this.#payloadOf(unit, entry, `${BY_DIGEST}${entry.digest.toString('hex')}`);
      return payload && { ...payload, userCode };
    });
  }

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    const facts = factsNow();
    return this.#parts.units.write(async (unit) =>
      unit.providerEntries.put(await this.#entryOf(unit, id, payload, facts)),
    );
  }

  /** Marks it as used. A second use, here or at another instance, ends the grant. */
  async consume(id: string): Promise<void> {
    const key = keyOf(this.#kind, id);
    const isFirst = await this.#parts.units.write(async (unit) => {
      const { providerEntries: entries } = unit;
      if (await entries.consume(key, this.#parts.clock())) return true;
      const entry = await entries.find(key);
      if (entry?.grantDigest !== undefined) await entries.removeOfGrant(entry.grantDigest);
      return false;
    });
    if (!isFirst) throw new errors.InvalidGrant(`${this.#kind} already used`);
  }

  destroy(id: string): Promise<void> {
    return this.#parts.units.write(async (unit) => {
      if (this.#kind === 'Session' && isDigest(id)) await this.#parts.tickets.end(unit, id);
      await unit.providerEntries.remove(keyOf(this.#kind, id));
    });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#parts.units.write((unit) => unit.providerEntries.removeOfGrant(keyOf('Grant', grantId)));
  }

  /** The registered application. A document that cannot be read or used leaves none: nothing of before counts. */
  async #findClient(name: string): Promise<AdapterPayload | undefined> {
    const { units, documents, log } = this.#parts;
    const application = await units.read(({ applications }) => applications.find(name));
    if (application === undefined || !hasDocument(name)) return application && clientMetadata(application);
    const document = await documents.of(name).catch((error: Error) => {
      log.warn({ client: name, fault: error.message }, 'document of a client cannot be used');
      throw new errors.InvalidClientMetadata(`the document at ${name} cannot be used: ${error.message}`);
    });
    return clientMetadata(application, document);
  }

  /** The session of a browser is its ticket. The entry adds which applications it has signed in to. */
  async #findSession(unit: ReadUnit, digest: Digest): Promise<AdapterPayload | undefined> {
    const { tickets } = this.#parts;
    const held = await tickets.findLive(unit, digest);
    if (held === undefined) return undefined;
    const entry = await unit.providerEntries.find(keyOf('Session', digest));
    const stored = entry === undefined ? {} : JSON.parse(entry.payload);
    return { ...stored, ...(await tickets.sessionOf(unit, held)), jti: digest, uid: digest, kind: 'Session' };
  }

  /** The payload of an entry whose ticket is live, with what the store does not have in it. */
  async #payloadOf(
    unit: ReadUnit,
    entry: ProviderEntry | undefined,
    id: string,
  ): Promise<AdapterPayload | undefined> {
    if (entry === undefined || entry.kind !== this.#kind) return undefined;
    const { tickets, issuer } = this.#parts;
    const ticket = entry.ticketDigest && digestFrom(entry.ticketDigest);
    const held = ticket && (await tickets.findLive(unit, ticket));
    if (ticket !== undefined && held === undefined) return undefined;
    if (held !== undefined && this.#kind === 'RefreshToken') tickets.use(held);
    const { grantDigest, consumedAt } = entry;
    const payload: AdapterPayload = {
      ...JSON.parse(entry.payload),
      jti: id,
      ...(grantDigest && this.#kind !== 'Grant' && { grantId: grantDigest.toString('hex') }),
      ...(ticket && this.#kind !== 'Grant' && { sessionUid: ticket }),
      ...(consumedAt !== undefined && { consumed: Math.floor(consumedAt / 1_000) }),
    };
    // The library takes no token that has an audience at userinfo. Clients of Keycloak send their own there.
    const isOwn = this.#kind === 'AccessToken' && payload.aud === payload.clientId;
    if (isOwn && Provider.ctx?.oidc.route === 'userinfo') delete payload.aud;
    if (this.#kind !== 'Interaction') return payload;
    const route = payload.deviceCode === undefined ? AUTHORIZATION : DEVICE;
    return this.#afterSignIn(unit, { ...payload, returnTo: `${issuer}${route}/${id}` });
  }

  /**
   * The pages for people tell the library nothing. The result of a sign-in is that the browser has another ticket than when the library
   * asked for it.
   */
  async #afterSignIn(unit: ReadUnit, payload: AdapterPayload): Promise<AdapterPayload> {
    const held = factsNow()?.held;
    if (payload.prompt?.name !== 'login' || held === undefined) return payload;
    if (payload.session?.uid === held.ticket.digest) return payload;
    const { session: _, ...rest } = payload;
    const { loginTs: ts, ...login } = await this.#parts.tickets.sessionOf(unit, held);
    return { ...rest, result: { login: { ...login, ts } } };
  }

  /** The entry that stands for a payload. Ids and codes are taken out of it. */
  async #entryOf(
    unit: WriteUnit,
    id: string,
    payload: AdapterPayload,
    facts: RequestFacts | undefined,
  ): Promise<ProviderEntry> {
    const digest = keyOf(this.#kind, id);
    const { grantId: named, userCode, exp, clientId, accountId } = payload;
    const stored = { ...payload };
    for (const name of this.#kind === 'Session' ? [...NOT_STORED, ...OF_TICKET] : NOT_STORED)
      delete stored[name];
    // A step of a sign-in outlives the ticket that the browser had: it may ask for another one.
    const grantId = this.#kind === 'Interaction' ? undefined : named;
    for (const name of ['deviceCode', 'parJti'] as const) {
      const other = name === 'deviceCode' ? 'DeviceCode' : 'PushedAuthorizationRequest';
      if (stored[name] !== undefined)
        stored[name] = `${BY_DIGEST}${keyOf(other, stored[name]).toString('hex')}`;
    }
    return {
      digest,
      kind: this.#kind,
      payload: JSON.stringify(stored),
      grantDigest:
        this.#kind === 'Grant' ? digest : grantId === undefined ? undefined : keyOf('Grant', grantId),
      ticketDigest: await this.#ticketOf(unit, id, grantId, facts),
      aliasDigest: userCode ? userCodeKey(userCode) : await this.#aliasOf(unit, digest),
      client: clientId,
      userId: accountId === undefined ? undefined : userIdOf(accountId),
      expiresAt: exp === undefined ? undefined : exp * 1_000,
      consumedAt: undefined,
    };
  }

  /** The ticket with which the entry ends: what was issued for a grant ends with the ticket of the grant. */
  async #ticketOf(
    { providerEntries }: WriteUnit,
    id: string,
    grantId: string | undefined,
    facts: RequestFacts | undefined,
  ): Promise<Buffer | undefined> {
    if (this.#kind === 'Session') return isDigest(id) ? bytesOf(id) : undefined;
    if (this.#kind === 'Grant') {
      const there = await providerEntries.find(keyOf('Grant', id));
      if (there !== undefined) return there.ticketDigest;
      const digest = facts?.grantTicket ?? facts?.held?.ticket.digest;
      if (digest === undefined) throw new Error('a grant needs a ticket');
      return bytesOf(digest);
    }
    if (grantId === undefined) return undefined;
    const grant = await providerEntries.find(keyOf('Grant', grantId));
    if (grant === undefined) throw new errors.InvalidGrant('the grant has ended');
    return grant.ticketDigest;
  }

  /** A device's code is written again once its user has answered, without the code that the user typed. */
  async #aliasOf({ providerEntries }: WriteUnit, digest: Buffer): Promise<Buffer | undefined> {
    if (this.#kind !== 'DeviceCode') return undefined;
    return (await providerEntries.find(digest))?.aliasDigest;
  }
}

/** Members of a payload that the columns of its entry tell, or that no store has. */
const NOT_STORED = ['jti', 'grantId', 'sessionUid', 'userCode', 'consumed', 'returnTo'] as const;
/** Members of a session that its ticket tells. */
const OF_TICKET = ['uid', 'accountId', 'loginTs', 'acr', 'amr', 'transient'] as const;
