import { isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import { isLockedByHand, type User } from '../domain/user.ts';
import type { Store, WriteUnit } from '../storage/store.ts';
import { CodeGuesses } from './code-guesses.ts';
import { type Admission, inTime } from './in-flight-attempts.ts';
import type {
  CheckedFactor,
  FactorRefusal,
  FactorToCheck,
  JudgeFactor,
  PasswordRefusal,
  Passwords,
  Verified,
  WrongFactor,
} from './passwords.ts';
import { failureReason } from './record-login-outcome.ts';
import type { Attempt, ThrottleState, UnhashedRefusal } from './throttle-state.ts';

/** The parts of the password check that count attempts. */
interface FactorCheckTools {
  readonly store: Store;
  readonly admission: Admission;
  /** The secret of the counter keys. */
  readonly throttleKey: Buffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  refuseUnhashed(attempt: Attempt, user: User | undefined, why: UnhashedRefusal): PasswordRefusal;
  refuse(attempt: Attempt, user: User | undefined, reason: string): PasswordRefusal;
  countFailure(attempt: Attempt, reason: string): Promise<void>;
  accept(
    ...of: [Attempt, admitted: ThrottleState, fresh: ThrottleState, { readonly withPassword: boolean }]
  ): Promise<Verified>;
}

const isWrong = (judged: object): judged is WrongFactor => 'wrong' in judged;

/**
 * Checks a second factor as a further attempt under the name: it is refused while name or address has to wait, and a wrong one
 * counts as a wrong password does, with `wrong` as the reason in the events. So guesses at both are limited together. A code that
 * can be guessed is also counted by {@link CodeGuesses}, which a right password does not clear.
 */
export async function checkFactor<J extends object>(
  attempt: Attempt,
  judge: JudgeFactor<J>,
  { wrong, code }: FactorToCheck,
  tools: FactorCheckTools,
): Promise<CheckedFactor<J> | FactorRefusal> {
  const { store, admission } = tools;
  const guesses = new CodeGuesses(tools);
  const { state, refused } = await admission.decide(attempt, await admission.read(attempt), () => false);
  if (refused) return tools.refuseUnhashed(attempt, state.user, refused);
  try {
    const { user } = state;
    const isBarred = user !== undefined && (user.disabled || isLockedByHand(user));
    const wait = code === 'guessable' && user !== undefined ? await guesses.take(attempt) : 0;
    if (wait > 0) {
      const refusal = tools.refuseUnhashed(attempt, user, { reason: 'codes-waiting', wait });
      return Number.isFinite(wait) ? refusal : { ...refusal, refused: 'codes_locked' };
    }
    const judged = user === undefined || isBarred ? undefined : await store.read((unit) => judge(unit, user));
    if (judged === undefined || isWrong(judged)) {
      const reason = isBarred ? failureReason(user) : (judged?.wrong ?? wrong);
      await tools.countFailure(attempt, reason);
      return tools.refuse(attempt, user, reason);
    }
    const { state: fresh } = await admission.read(attempt, state.stored);
    const accepted = await tools.accept(attempt, state, fresh, { withPassword: code !== undefined });
    if (code === undefined) return { verified: { ...accepted, methods: ['pop'] }, judged };
    const recordSuccess = async (unit: WriteUnit) => {
      await accepted.recordSuccess?.(unit);
      await guesses.forget(unit, attempt.key);
    };
    return { verified: { ...accepted, methods: ['otp'], recordSuccess }, judged };
  } finally {
    admission.end(attempt);
  }
}

/** No user has a name with a line break: attempts with it count for the address, and for what is checked. */
const NO_USER = 'unknown\nsign-in ';
const USED = 'unknown\nused sign-in ';

/** The refusals of a sign-in that count as failures. The others are nobody's guess: a provider that is down, or a person who declines. */
const COUNTED: readonly RefusalCode[] = ['sign_in_outdated', 'sign_in_unproven', 'logout_token_refused'];

const USED_BEFORE: Refusal<'sign_in_outdated'> = refuse('sign_in_outdated', {
  reason: 'this sign-in was answered before',
});

/** Marks a sign-in as used in every process and instance. Undefined if it was used before. */
async function markUsed(
  { address, keys }: Attempt,
  lifetime: number,
  { store, clock }: Pick<FactorCheckTools, 'store' | 'clock'>,
): Promise<true | undefined> {
  return store.write(async ({ attempts }) => {
    const now = clock();
    const { counters } = await attempts.throttleState({ userKey: undefined, address, keys });
    if ((counters.name?.waitUntil ?? 0) > now) return undefined;
    const used = { failures: 1, since: now, lastFailureAt: now, waitUntil: now + lifetime };
    await attempts.put(keys.name, undefined, used);
    return true;
  });
}

/** Checks the answer of a provider to a sign-in, as a further attempt of an address: see {@link Passwords.checkSignIn}. */
export function checkSignIn<T extends object | undefined>(
  { state, lifetime }: Parameters<Passwords['checkSignIn']>[0],
  check: () => Promise<T>,
  attemptOf: (name: string) => Attempt,
  onAddressFull: (attempt: Attempt) => void,
  tools: FactorCheckTools,
): Promise<T | PasswordRefusal | Refusal<'sign_in_outdated'>> {
  const attempt = { ...attemptOf(NO_USER + state), onPage: true };
  return inTime(attempt, onAddressFull, async () => {
    const { admission, refuseUnhashed, countFailure } = tools;
    const admitted = await admission.decide(attempt, await admission.read(attempt), () => false);
    if (admitted.refused) return refuseUnhashed(attempt, undefined, admitted.refused);
    try {
      const isUsed = lifetime > 0 && !(await markUsed(attemptOf(USED + state), lifetime, tools));
      const answered = isUsed ? USED_BEFORE : await check();
      if (isRefusal(answered) && COUNTED.includes(answered.refused))
        await countFailure(attempt, answered.reason ?? answered.refused);
      return answered;
    } finally {
      admission.end(attempt);
    }
  });
}
