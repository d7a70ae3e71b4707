import { LRUCache } from 'lru-cache';
import type { PasswordFault } from '../domain/password-fault.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { faultOfBreach } from './breached-passwords.ts';
import { QueueTimeout } from './concurrency-limiter.ts';
import type { HashOwner, HashPool } from './hash-queue.ts';
import { type HashCost, hashPassword, isTooLong } from './password-hash.ts';
import { faultOfStrength } from './password-strength.ts';
import type { NewPasswordRefusal } from './passwords.ts';

/** The rules for a new password. */
export interface NewPasswordRules {
  /** The name of the user who gets the password. */
  readonly name: string;
  /** The least number of characters. */
  readonly least: number;
  /** Path of a file of breached passwords; empty for none. */
  readonly breachedFile: string;
}

/** Why a password of the user of this name is too easy to guess; undefined if it is hard enough. */
export type JudgeStrength = (password: string, name: string) => Promise<PasswordFault | undefined>;

/**
 * Why a new password is refused, and what to do; undefined if it is accepted. There are no rules of composition (NIST SP
 * 800-63B-4, 3.1.1.2): all Unicode characters are allowed and counted. By default the calling thread judges the strength,
 * which takes it some 45 ms: a service gives that to a {@link PasswordJudge}.
 */
export async function faultOfNewPassword(
  password: string,
  { name, least, breachedFile }: NewPasswordRules,
  judgeStrength: JudgeStrength = faultOfStrength,
): Promise<PasswordFault | undefined> {
  // Before anything else, since the work grows with the length.
  if (isTooLong(password))
    return { code: 'long', sentence: 'the password is longer than 1024 bytes: choose a shorter one' };
  const composed = password.normalize('NFC');
  const { length } = [...composed];
  if (length < least) {
    const sentence = `the password has ${length} characters: choose one of ${least} or more`;
    return { code: 'short', length, least, sentence };
  }
  const weakness = await judgeStrength(composed, name);
  if (weakness !== undefined) return weakness;
  return breachedFile === '' ? undefined : faultOfBreach(breachedFile, password);
}

/** The owner of a new password. */
type PasswordOwner = Pick<HashOwner, 'key'> & { readonly name: string };

/** The hash of a new password, or the rule that refuses it. Hashing waits its turn in the queue of the logins. */
export type HashNewPassword = (
  owner: HashOwner & PasswordOwner,
  password: string,
) => Promise<string | NewPasswordRefusal>;

/** Why a new password is refused; undefined if the rules accept it. */
export type JudgeNewPassword = (
  owner: PasswordOwner,
  password: string,
) => Promise<PasswordFault | undefined | Refusal<'hash_queue_full'>>;

/** So many new passwords of a user are judged at once, and then so many a second: each takes a core some 45 ms. */
const JUDGEMENTS = { atOnce: 20, aSecond: 2 };
/** How many users are counted at a time. Beyond that the oldest are forgotten. */
const MOST_USERS = 10_000;

/** Limits the judgements of each user: one who sends new passwords without end takes little of the time of others. */
class JudgementLimit {
  readonly #users = new LRUCache<string, { readonly left: number; readonly at: number }>({ max: MOST_USERS });

  /** Whether the user may have one more now, which this counts. */
  take(key: string, now: number): boolean {
    const { atOnce, aSecond } = JUDGEMENTS;
    const { left, at } = this.#users.get(key) ?? { left: atOnce, at: now };
    const refilled = Math.min(atOnce, left + (Math.max(0, now - at) / 1_000) * aSecond);
    this.#users.set(key, { left: refilled < 1 ? refilled : refilled - 1, at: now });
    return refilled >= 1;
  }
}

/** What new passwords are judged and hashed with. */
interface NewPasswordParts {
  readonly pool: Pick<HashPool, 'run'>;
  readonly cost: HashCost;
  rulesFor(name: string): NewPasswordRules;
  readonly judgeStrength: JudgeStrength;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Judges new passwords, and hashes the ones that the rules accept. It refuses a user who sends too many. */
export function newPasswords({ pool, cost, rulesFor, judgeStrength, clock }: NewPasswordParts): {
  readonly hashNew: HashNewPassword;
  readonly judgeNew: JudgeNewPassword;
} {
  const limit = new JudgementLimit();
  const judgeNew: JudgeNewPassword = async ({ key, name }, password) => {
    if (!limit.take(key, clock()))
      return refuse('hash_queue_full', { retryAfter: 1, reason: 'too many new passwords of this user' });
    return faultOfNewPassword(password, rulesFor(name), judgeStrength);
  };
  return {
    judgeNew,
    async hashNew(owner, password) {
      const fault = await judgeNew(owner, password);
      if (isRefusal(fault)) return fault;
      if (fault !== undefined)
        return refuse('new_password_refused', { detail: fault.sentence, passwordFault: fault });
      try {
        return await pool.run(() => hashPassword(password, cost), owner);
      } catch (error) {
        if (!(error instanceof QueueTimeout)) throw error;
        return refuse('hash_queue_full', { retryAfter: 2, reason: error.message });
      }
    },
  };
}
