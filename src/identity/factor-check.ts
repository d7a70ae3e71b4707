import { isLockedByHand, type User } from '../domain/user.ts';
import type { Store } from '../storage/store.ts';
import type { Admission } from './in-flight-attempts.ts';
import type { CheckedFactor, JudgeFactor, PasswordRefusal, Verified, WrongFactor } from './passwords.ts';
import { failureReason } from './record-login-outcome.ts';
import type { Attempt, ThrottleState, UnhashedRefusal } from './throttle-state.ts';

/** The parts of the password check that count attempts. */
interface FactorCheckTools {
  readonly store: Store;
  readonly admission: Admission;
  refuseUnhashed(attempt: Attempt, user: User | undefined, why: UnhashedRefusal): PasswordRefusal;
  refuse(attempt: Attempt, user: User | undefined, reason: string): PasswordRefusal;
  countFailure(attempt: Attempt, reason: string): Promise<void>;
  accept(attempt: Attempt, admitted: ThrottleState, fresh: ThrottleState): Promise<Verified>;
}

const isWrong = (judged: object): judged is WrongFactor => 'wrong' in judged;

/**
 * Checks a second factor as a further attempt under the name: it is refused while name or address has to wait, and a wrong one
 * counts as a wrong password does, with `wrong` as the reason in the events. So guesses at both are limited together.
 */
export async function checkFactor<J extends object>(
  attempt: Attempt,
  judge: JudgeFactor<J>,
  wrong: string,
  { store, admission, ...tools }: FactorCheckTools,
): Promise<CheckedFactor<J> | PasswordRefusal> {
  const { state, refused } = await admission.decide(attempt, await admission.read(attempt), () => false);
  if (refused) return tools.refuseUnhashed(attempt, state.user, refused);
  try {
    const { user } = state;
    const isBarred = user !== undefined && (user.disabled || isLockedByHand(user));
    const judged = user === undefined || isBarred ? undefined : await store.read((unit) => judge(unit, user));
    if (judged === undefined || isWrong(judged)) {
      const reason = isBarred ? failureReason(user) : (judged?.wrong ?? wrong);
      await tools.countFailure(attempt, reason);
      return tools.refuse(attempt, user, reason);
    }
    const { state: fresh } = await admission.read(attempt, state.stored);
    return { verified: await tools.accept(attempt, state, fresh), judged };
  } finally {
    admission.end(attempt);
  }
}
