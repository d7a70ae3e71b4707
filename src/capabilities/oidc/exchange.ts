import type { VerifyToken } from '../../core/gate/call.ts';
import { hasLiveArgument, levelOf } from '../../core/gate/caller.ts';
import type { TicketRules } from '../../core/gate/tickets.ts';
import type { Store } from '../../core/storage/store.ts';
import type { AccessTokenCheck } from './verifier.ts';

/** What access tokens are verified with. */
interface AccessTokenParts {
  readonly store: Store;
  readonly rules: TicketRules;
  readonly accessTokens: Pick<AccessTokenCheck, 'check'>;
}

/**
 * Verifies the access token of a call. The token does not count if the operation takes none, or if the argument `alf_ticket`
 * holds a live ticket.
 */
export const verifyToken =
  (parts: AccessTokenParts): VerifyToken =>
  async ({ authentication, ticketsOnly, api }, call) => {
    const { header } = call.presented;
    if (header === undefined || !('accessToken' in header)) return undefined;
    if (levelOf(authentication, call) !== 'user' || ticketsOnly || api?.byCookie) return undefined;
    if (await hasLiveArgument(call, parts)) return undefined;
    return parts.accessTokens.check(header.accessToken, call);
  };
