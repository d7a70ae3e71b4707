import { afterFailure, type Counter, remainingWait, type WaitingRule } from '../domain/lockout.ts';
import type { Store } from '../storage/store.ts';
import { type Attempt, readThrottleState } from './throttle-state.ts';

/** Milliseconds that refusals are gathered before they are written. */
const GATHERED_FOR = 1_000;
/** Addresses that are gathered at most. One that goes on is counted in the next second. */
const MOST_ADDRESSES = 1_000;

/** What {@link QueueRefusals} works with. */
export interface QueueRefusalParts {
  readonly store: Store;
  /** The rule of addresses. */
  readonly rule: WaitingRule;
  readonly clock: () => number;
  /** Told of counts that could not be written, which are lost. */
  readonly onFault: (fault: unknown) => void;
}

/** The refusals of one address, and the last of its refused tries. */
interface Refusals {
  made: Attempt;
  times: number;
}

/**
 * Counts logins that are refused because their address has too many waiting, toward the limit of that address. They are
 * gathered and written once a second, so that a flood of logins is no flood of writes.
 */
export class QueueRefusals {
  readonly #parts: QueueRefusalParts;
  #gathered = new Map<string, Refusals>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: QueueRefusalParts) {
    this.#parts = parts;
  }

  count(made: Attempt): void {
    const refusals = this.#gathered.get(made.address);
    if (refusals !== undefined) {
      refusals.times += 1;
      return;
    }
    if (this.#gathered.size < MOST_ADDRESSES) this.#gathered.set(made.address, { made, times: 1 });
    this.#timer ??= setTimeout(() => void this.#write(), GATHERED_FOR).unref();
  }

  async #write(): Promise<void> {
    const { store, rule, clock, onFault } = this.#parts;
    const gathered = this.#gathered;
    this.#gathered = new Map();
    this.#timer = undefined;
    const now = clock();
    try {
      await store.write(async (unit) => {
        for (const { made, times } of gathered.values()) {
          const { counters } = await readThrottleState(unit, made, now);
          const counter = afterRefusals(counters.address, times, now, rule);
          if (counter !== undefined) await unit.attempts.put(made.keys.address, undefined, counter);
        }
      });
    } catch (fault) {
      onFault(fault);
    }
  }
}

/** The counter after so many refusals at once, of which none counts any more once the address has to wait. */
function afterRefusals(
  counter: Counter | undefined,
  times: number,
  now: number,
  rule: WaitingRule,
): Counter | undefined {
  let after = counter;
  for (let left = times; left > 0 && remainingWait(after, now, rule) === 0; left -= 1)
    after = afterFailure(after, now, rule);
  return after;
}
