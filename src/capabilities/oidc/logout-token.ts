import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Digest } from '../../core/domain/ticket.ts';
import type { ProviderConfiguration } from './load.ts';
import { subjectIn } from './person.ts';

/** What a logout token says: which session, or whose sessions, ended at the provider. */
export interface LogoutClaims {
  readonly provider: ProviderConfiguration;
  /** The id of the session; undefined if all sessions of the person ended. */
  readonly sid: string | undefined;
  /** The person, as the store knows it; undefined if the token does not tell. */
  readonly subject: string | undefined;
  /** Sessions that began later, in epoch milliseconds, did not end. */
  readonly until: number;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** The types of logout tokens in their header. Keycloak writes `JWT`, and some providers write none. */
const TYPES: readonly (string | undefined)[] = ['logout+jwt', 'application/logout+jwt', 'jwt', undefined];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the claims of a genuine token of this type say about a log-out; or why it is no logout token. */
export function logoutClaimsIn(
  provider: ProviderConfiguration,
  type: string | undefined,
  claims: JWTPayload,
): LogoutClaims | { readonly fault: string } {
  const { events, sid, iat = 0 } = claims;
  if (!TYPES.includes(type?.toLowerCase()) || !isObject(events) || !isObject(events[EVENT]))
    return { fault: 'it is no logout token: its type or its events say something else' };
  if (claims.nonce !== undefined) return { fault: 'it has a nonce, which only ID tokens have' };
  if (sid !== undefined && (typeof sid !== 'string' || sid === '')) return { fault: 'its sid is no text' };
  const subject = subjectIn(provider, claims);
  if (sid === undefined && subject === undefined)
    return { fault: `it names neither a session (sid) nor a person (${provider.claims.subject})` };
  return { provider, sid, subject, until: iat * 1_000 };
}

/** The digest of a session at a provider, with which tickets end. No store keeps the id of the session. */
export const sessionDigest = (issuer: string, sid: string): Digest =>
  hash('sha256', `session ${issuer}\n${sid}`, 'hex') as Digest;
