const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** The waits between attempts, as the schedule of Standard Webhooks has them: ten attempts in three days. */
const WAITS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
];
/** By how much of itself a wait is longer at most. Without it all messages of an outage would come again at once. */
const JITTER = 0.2;
/** The longest wait that a receiver may ask for. */
const LONGEST_ASKED = 24 * HOUR;

/**
 * Milliseconds until the next attempt, after this many; undefined after the last one. `asked` is the wait that the receiver asks
 * for. `random` is from 0 to below 1.
 */
export function waitAfter(
  attempts: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.max(Math.round(wait * (1 + JITTER * random)), Math.min(retryAfter ?? 0, LONGEST_ASKED));
}

/** After this many failures in a row nothing is sent to the receiver for a while. */
const FAILURES_IN_A_ROW = 5;
const LONGEST_PAUSE = MINUTE;
/** The longest pause that a receiver may ask for: each message waits for its own attempt besides. */
const LONGEST_ASKED_PAUSE = 10 * MINUTE;

/**
 * Milliseconds for which nothing is sent to a receiver after so many failures in a row, so that an outage does not use up the
 * attempts of each message. `asked` is the wait that the receiver asks for with 429 or 503.
 */
export function pauseAfter(failures: number, retryAfter: number | undefined): number {
  const over = failures - FAILURES_IN_A_ROW;
  const own = over < 0 ? 0 : Math.min(SECOND * 2 ** Math.min(over, 10), LONGEST_PAUSE);
  return Math.max(own, Math.min(retryAfter ?? 0, LONGEST_ASKED_PAUSE));
}
