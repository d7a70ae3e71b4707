import { afterFailure, codeRule, MOST_WRONG_CODES, remainingWait } from '../domain/lockout.ts';
import { COUNTERS, eachCounter, type Store, type WriteUnit } from '../storage/store.ts';
import { type Attempt, codeCounterKey } from './throttle-state.ts';

interface CodeGuessParts {
  readonly store: Store;
  /** The secret of the counter keys. */
  readonly throttleKey: Buffer;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * Counts the codes that are tried for a user, across addresses. Passwords do not touch this counter: a right code, an unlock of
 * the user, a reset of the second factors, or time clears it. A code counts as wrong before it is judged, so that no number of parallel ones exceeds the limit.
 */
export class CodeGuesses {
  readonly #parts: CodeGuessParts;

  constructor(parts: CodeGuessParts) {
    this.#parts = parts;
  }

  /**
   * Counts a code as wrong, and returns 0. If codes of the user have to wait, counts nothing, and returns for how many
   * milliseconds; infinity once an administrator or another factor is needed.
   */
  take({ key: userKey, keys }: Pick<Attempt, 'key' | 'keys'>): Promise<number> {
    const { store, throttleKey, clock } = this.#parts;
    const key = codeCounterKey(throttleKey, userKey);
    return store.write(async ({ attempts }) => {
      const now = clock();
      const lookUp = { userKey: undefined, address: '', keys: eachCounter(() => key) };
      const { counters } = await attempts.throttleState(lookUp);
      const counter = counters[COUNTERS[0]];
      const wait = remainingWait(counter, now, codeRule);
      if (wait > 0) return (counter?.failures ?? 0) >= MOST_WRONG_CODES ? Number.POSITIVE_INFINITY : wait;
      // Under the name, so that an unlock of the user removes it too.
      await attempts.put(key, keys.name, afterFailure(counter, now, codeRule));
      return 0;
    });
  }

  /** Forgets the wrong codes of a user whose code was right, in the unit that spends that code. */
  forget(unit: Pick<WriteUnit, 'attempts'>, userKey: string): Promise<void> {
    return forgetCodes(unit, this.#parts.throttleKey, userKey);
  }
}

/** Forgets the wrong codes of the user of this key. */
export const forgetCodes = (
  { attempts }: Pick<WriteUnit, 'attempts'>,
  throttleKey: Buffer,
  userKey: string,
): Promise<void> => attempts.remove(codeCounterKey(throttleKey, userKey));
