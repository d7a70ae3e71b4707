import { isRefusal, refuse } from '../domain/refusal.ts';
import type { InputSchemas, OperationContext } from '../operation.ts';
import { seeOther } from './page.ts';
import { returnAddress } from './return-address.ts';

type PageContext = OperationContext<InputSchemas, unknown, 'none', 'write'>;

/** What a sign-in needs of the context of its page. */
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
  if (before !== undefined && !('dead' in before)) await store.tickets.end(before.ticket.digest);
  return seeOther(returnAddress(asked, own), { issued: issued.issued, cookie: issued.value.ticket });
}
