import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { ChangeEvent } from '../../../../core/domain/event.ts';
import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import type { User } from '../../../../core/domain/user.ts';
import { hasEnded } from '../../../../core/gate/ended-sessions.ts';
import { answer } from '../../../../core/operation.ts';
import type { WriteUnit } from '../../../../core/storage/store.ts';
import { newPasswordPage } from '../../../../faces/pages/new-password-view.ts';
import { seeOther } from '../../../../faces/pages/page.ts';
import { anyReader } from '../../../../faces/pages/reader.ts';
import { type SignInContext, signInNow } from '../../../../faces/pages/sign-in.ts';
import { type PendingSignIn, pendingCookie, START } from './pending.ts';

/** A sign-in with a second factor, or with a passkey alone, that was accepted when it was checked. */
interface GivenFactor {
  /** The user as it was when the sign-in began, and the address that the sign-in leads to. */
  readonly pending: Omit<PendingSignIn, 'name' | 'hasGivenFactor'>;
  readonly verified: Parameters<SignInContext['issue']>[0];
  /** Writes that it was used. Returns false if another request has used it since the check: it counts once. */
  spend(unit: WriteUnit): Promise<boolean>;
  /** The reason of that refusal, for the events. */
  readonly usedBefore: string;
  /** The events of that use. */
  readonly used: (user: User) => readonly ChangeEvent[];
}

/** Signs in a user who has given the second factor. A user who has to choose a new password gets the page for it instead. */
export async function signInAfterFactor(
  context: SignInContext & Parameters<typeof anyReader>[0],
  { pending, verified, spend, usedBefore, used }: GivenFactor,
) {
  const { userId, generation, parent, loginReason, back } = pending;
  // Whether the user is disabled or locked is seen when the ticket is issued: a sign-in may pass a lock-out.
  const user = await context.store.users.find(verified.userId);
  // After a new password, for another user of the name, or after the end of its session, the sign-in begins again.
  if (user?.id !== userId || user.generation !== generation || (await hasEnded(context.store, pending)))
    return seeOther(START);
  if (!(await spend(context.store))) return refuse('login_failed', { reason: usedBefore, user: user.name });
  const events = used(user);
  const methods = [...pending.methods, ...verified.methods];
  const signedIn = await signInNow(context, { ...verified, methods, parent, loginReason }, back);
  if (!isRefusal(signedIn)) return { ...signedIn, changes: [...events, ...(signedIn.changes ?? [])] };
  if (signedIn.refused !== 'new_password_needed') return signedIn;
  const sent = newPasswordPage(anyReader(context), { username: user.name, back });
  const browser = context.browser as BrowserContext;
  const cookie = pendingCookie(browser, { ...user, methods }, { back, hasGivenFactor: true });
  return answer(sent, { cookies: [cookie], changes: events });
}
