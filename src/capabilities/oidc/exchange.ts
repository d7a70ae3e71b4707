import type { Call } from '../../core/gate/call.ts';
import { hasLiveArgument, levelOf } from '../../core/gate/caller.ts';
import type { TicketRules } from '../../core/gate/tickets.ts';
import type { Verified } from '../../core/identity/passwords.ts';
import type { AnyOperation } from '../../core/operation.ts';
import type { Store } from '../../core/storage/store.ts';
import type { AccessTokenCheck, TokenRefusal } from './verifier.ts';

/** What access tokens are verified with. */
export interface AccessTokenParts {
  readonly store: Store;
  readonly rules: TicketRules;
  /** The check of access tokens; undefined if no provider issues any for this service. */
  readonly accessTokens?: Pick<AccessTokenCheck, 'check'> | undefined;
}

/**
 * The user whom the access token of a call names. Undefined if the token does not count: the operation takes none, no provider
 * issues any, or the argument `alf_ticket` holds a live ticket.
 */
export async function verifyToken(
  { authentication, ticketsOnly, api }: AnyOperation,
  call: Call,
  parts: AccessTokenParts,
): Promise<Verified | TokenRefusal | undefined> {
  const { accessTokens } = parts;
  const { header } = call.presented;
  if (accessTokens === undefined || header === undefined || !('accessToken' in header)) return undefined;
  if (levelOf(authentication, call) !== 'user' || ticketsOnly || api?.byCookie) return undefined;
  if (await hasLiveArgument(call, parts)) return undefined;
  return accessTokens.check(header.accessToken, call.address);
}
