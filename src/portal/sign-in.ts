import type { ChangeEvent } from '../domain/event.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { type HeldTicket, type KeptTicket, shortDigest } from '../domain/ticket.ts';
import type { InputSchemas, OperationContext } from '../operation.ts';
import { seeOther } from './page.ts';
import { returnAddress } from './return-address.ts';

type PageContext = OperationContext<InputSchemas, unknown, 'none', 'write'>;

/** The event of a ticket that ends because its browser has this new one. */
const logout = ({ ticket, user }: HeldTicket, { digest }: KeptTicket): ChangeEvent => ({
  kind: 'logout',
  user: user.name,
  digest: shortDigest(ticket.digest),
  reason: `by ticket ${shortDigest(digest)}`,
});

/** The part of a page's context that a sign-in needs. */
type SignInContext = Pick<PageContext, 'browser' | 'find' | 'issue' | 'store'>;

/**
 * Signs a verified user in: the browser gets a new ticket, the one that it had ends, and it goes to `asked` if a sign-in may
 * lead there. A user who has to choose a new password gets no ticket.
 */
export async function signIn(
  { browser, find, issue, store }: SignInContext,
  verified: Parameters<PageContext['confirm']>[0],
  asked: string | undefined,
) {
  const own = browser as NonNullable<typeof browser>;
  const issued = await issue(verified, ({ mustChangePassword }) =>
    mustChangePassword ? refuse('new_password_needed') : undefined,
  );
  if (isRefusal(issued)) return issued;
  const before = own.ticket === undefined ? undefined : await find(own.ticket);
  const isEnded =
    before !== undefined && !('dead' in before) && (await store.tickets.end(before.ticket.digest));
  // Logins without a password are only counted, so they must not fill the events in this way either.
  const changes = isEnded && !issued.issued.withoutPassword ? [logout(before, issued.issued.ticket)] : [];
  return seeOther(returnAddress(asked, own), { issued: issued.issued, cookie: issued.value.ticket, changes });
}
