import type { LoggedIn } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { ChangeEvent } from '../../core/domain/event.ts';
import { isRefusal, refuse } from '../../core/domain/refusal.ts';
import type { FactorDemand } from '../../core/domain/second-factor.ts';
import { type Digest, endedBy } from '../../core/domain/ticket.ts';
import type { User } from '../../core/domain/user.ts';
import type { InputSchemas, OperationContext } from '../../core/operation.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { seeOther } from './page.ts';
import { proofCookie } from './proof.ts';
import { returnAddress } from './return-address.ts';
import './sign-in-tools.ts';

type PageContext = OperationContext<InputSchemas, unknown, 'none', 'write'>;

/** The part of a page's context that a sign-in needs. */
export type SignInContext = Pick<PageContext, 'browser' | 'confirm' | 'find' | 'issue' | 'now' | 'store'>;

type VerifiedUser = Parameters<PageContext['confirm']>[0];

/** The pages where a user gives the second factor, has to register one, or is asked to register one soon. */
export const SECOND_STEP = '/portal/second-factor';
export const REGISTRATION = `${SECOND_STEP}/register`;
export const SOON = `${SECOND_STEP}/soon`;

/** What is asked of the user beside what was verified. Nothing, if this browser has given the second factor already. */
export async function demandIn(
  { browser, now, store }: Pick<SignInContext, 'browser' | 'now'> & { readonly store: ReadUnit },
  user: User,
): Promise<FactorDemand> {
  const own = browser as BrowserContext;
  return (await own.secondStep?.demandOf(store, user, own, now)) ?? { asks: 'nothing' };
}

/**
 * Signs in a user whose password was right: the browser gets a new ticket, the one that it had ends, and it goes to `asked` if a
 * sign-in may lead there. A user with a second factor gets no ticket yet, but a page that asks for it.
 */
export async function signIn(context: SignInContext, verified: VerifiedUser, returnTo: string | undefined) {
  const own = context.browser as BrowserContext;
  const back = returnAddress(returnTo, own);
  // Not as `confirm` has it: from a familiar address the password passes a lock-out, which the ticket's unit ends.
  const user = await context.store.users.find(verified.userId);
  const demand = user && (await demandIn(context, user));
  const { secondStep } = own;
  if (!user || !secondStep || !demand || demand.asks === 'nothing') return signInNow(context, verified, back);
  if (demand.asks === 'soon') {
    await secondStep.noteAsked(context.store, user, context.now);
    return signInNow(context, verified, `${SOON}?${new URLSearchParams({ return: back })}`);
  }
  const step = demand.asks === 'factor' ? SECOND_STEP : REGISTRATION;
  const { generation, methods, parent, loginReason } = verified;
  const pending = { ...user, generation, methods, parent, loginReason, provedAt: context.now };
  return seeOther(step, { cookies: [secondStep.pendingCookie(own, pending, back)] });
}

/** Ends the ticket that the browser had before it got this one, unless it is `kept`. Returns the event for that. */
export async function endFormer(
  { browser, find, store }: Pick<SignInContext, 'browser' | 'find' | 'store'>,
  { ticket, withoutPassword }: LoggedIn['issued'],
  kept?: Digest,
) {
  const own = browser as BrowserContext;
  const former = own.ticket === undefined ? undefined : await find(own.ticket);
  if (former === undefined || 'dead' in former || former.ticket.digest === kept) return [];
  const isEnded = await store.tickets.end(former.ticket.digest);
  // Logins without a password are only counted, so they must not fill the events in this way either.
  return isEnded && !withoutPassword ? [endedBy(ticket.digest, former.user, former.ticket.digest)] : [];
}

/** Signs in a user who has given everything that is asked for. A user who has to choose a new password gets no ticket. */
export async function signInNow(
  { browser, find, issue, now, store }: SignInContext,
  verified: VerifiedUser,
  back: string,
) {
  const own = browser as BrowserContext;
  const before = own.secondStep?.methodsBefore(own, verified.userId) ?? [];
  const methods = [...new Set([...before, ...verified.methods])];
  const issued = await issue({ ...verified, methods }, ({ mustChangePassword }) =>
    mustChangePassword ? refuse('new_password_needed') : undefined,
  );
  if (isRefusal(issued)) return issued;
  const changes: ChangeEvent[] = await endFormer({ browser, find, store }, issued.issued);
  const cookies = [...(own.secondStep?.endPending(own) ?? [])];
  // An identity provider may sign in a browser that was left open, without a question. That does not prove who uses it.
  if (verified.provider === undefined) cookies.push(proofCookie(own, issued.issued.ticket.digest));
  if (verified.provider === undefined && methods.includes('pwd')) {
    const signIn = { ...own.requestOrigin, user: issued.issued.user.name, at: now };
    const unfamiliar = await own.unfamiliarSignIn?.(store, signIn);
    if (unfamiliar !== undefined) changes.push(unfamiliar);
  }
  return seeOther(back, { issued: issued.issued, cookie: issued.value.ticket, cookies, changes });
}
