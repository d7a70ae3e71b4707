import { hash } from 'node:crypto';
import { OAUTH2 } from '../../core/api.ts';
import type { ChangeEvent } from '../../core/domain/event.ts';
import { isRefusal, refuse } from '../../core/domain/refusal.ts';
import { type Digest, shortDigest } from '../../core/domain/ticket.ts';
import { rememberEnd, sessionsOf } from '../../core/gate/ended-sessions.ts';
import { type AnyOperation, answer, operation } from '../../core/operation.ts';
import type { Representation } from '../../core/representations/representation.ts';
import { Type } from '../../core/schema.ts';
import type { WriteUnit } from '../../core/storage/store.ts';
import type { AccessTokens } from './access-token.ts';
import { type LogoutClaims, sessionDigest } from './logout-token.ts';
import { ProviderUnavailable } from './provider-unavailable.ts';

/** The answer to a log-out: its status says everything. */
const endedShown = { schema: Type.Object({}), json: () => ({}) } satisfies Representation<undefined>;

/**
 * The tickets of the person at the provider that were issued before the log-out. Those of app passwords and applications stay: the
 * person added these here, and they are no sessions. A sign-in that waits for a second factor gets none.
 */
async function ticketsOf(
  unit: WriteUnit,
  { provider, subject, until }: LogoutClaims,
  now: number,
): Promise<Digest[]> {
  const { externalIdentities, tickets } = unit;
  const identity = await externalIdentities.find(provider.id, subject as string);
  if (identity === undefined) return [];
  await rememberEnd(unit, sessionsOf(identity.userId), Math.min(until, now));
  const all = (await tickets.listOf(identity.userId)).filter(({ issuedAt }) => issuedAt <= until);
  const origins = await tickets.originsOf(all);
  return all.flatMap(({ digest }, at) => {
    const { appPassword, application } = origins[at] ?? {};
    return appPassword === undefined && application === undefined ? [digest] : [];
  });
}

/** The tickets of the session. A sign-in of it that waits for a second factor gets none. */
async function ticketsIn(unit: WriteUnit, session: Digest, now: number): Promise<Digest[]> {
  await rememberEnd(unit, session, now);
  return unit.ticketParents.childrenOf(session);
}

/** Ends the tickets of what ended at the provider. Returns an event of each. */
async function endTickets(unit: WriteUnit, claims: LogoutClaims, now: number): Promise<ChangeEvent[]> {
  const { provider, sid } = claims;
  const digests =
    sid === undefined
      ? await ticketsOf(unit, claims, now)
      : await ticketsIn(unit, sessionDigest(provider.issuer, sid), now);
  const events: ChangeEvent[] = [];
  for (const digest of digests) {
    const heldTicket = await unit.tickets.find(digest);
    if (heldTicket === undefined || !(await unit.tickets.end(digest))) continue;
    const reason = `by ${provider.id}`;
    events.push({ kind: 'logout', user: heldTicket.user.name, digest: shortDigest(digest), reason });
  }
  return events;
}

const refused = (reason: string) => refuse('logout_token_refused', { reason });

/** The verified token; or why it is refused. A token that no provider signed counts as a failure of its address. */
async function verified(tokens: AccessTokens, token: string, provider: string) {
  try {
    const claims = await tokens.verifyLogout(token, provider);
    return claims !== undefined && 'fault' in claims && !claims.isGenuine ? refused(claims.fault) : claims;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    return refuse('provider_unavailable', { retryAfter: 5, reason: error.message });
  }
}

/**
 * Takes the logout token of an identity provider (OpenID Connect Back-Channel Logout 1.0), and ends what its person signed in
 * for there. It is served, and described nowhere: only the provider calls it.
 */
export const backchannelLogout = (tokens: AccessTokens): AnyOperation =>
  operation({
    id: 'org/service/repository/oauth2/backchannel-logout.post',
    summary: 'End the tickets of a session that ended at an identity provider.',
    lifecycle: 'public_api',
    family: 'Gate',
    api: OAUTH2,
    method: 'POST',
    paths: ['/backchannel-logout/{provider}'],
    authentication: 'none',
    transaction: 'required',
    access: 'write',
    refusesCrossSite: true,
    formatStyle: 'argument',
    defaultFormat: 'json',
    bodyStyle: 'form',
    input: {
      path: Type.Object({ provider: Type.String({ description: 'Id of the provider.' }) }),
      body: Type.Object({
        logout_token: Type.String({ refusal: 'token_missing', description: 'The logout token.' }),
      }),
    },
    output: endedShown,
    refusals: [
      'form_unreadable',
      'token_missing',
      'cross_site_change',
      'logout_token_refused',
      'provider_not_found',
      'provider_unavailable',
      'login_failed',
    ],
    async prepare({ input: { path, body }, passwords }) {
      const { logout_token: token } = body;
      const claims = await passwords.checkSignIn({ state: hash('sha256', token), lifetime: 0 }, () =>
        verified(tokens, token, path.provider),
      );
      if (claims === undefined) return refuse('provider_not_found');
      if (isRefusal(claims) || !('fault' in claims)) return claims as LogoutClaims;
      return refused(claims.fault);
    },
    async perform({ prepared, store, now }) {
      return answer(undefined, { changes: await endTickets(store, prepared, now) });
    },
  });
