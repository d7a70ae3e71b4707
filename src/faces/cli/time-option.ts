import { duration } from '../../core/settings/parsers.ts';
import { WrongUsage } from './failure.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Whether it is a valid ISO 8601 date, alone or with a time and a zone. V8 would accept more. */
function isTime(text: string): boolean {
  const day = text.slice(0, 10);
  if (!ISO_TIME.test(text) || Number.isNaN(Date.parse(day))) return false;
  // V8 reads 30 February as 2 March.
  return new Date(day).toISOString().startsWith(day);
}

/** The time from which a duration is counted, and the words for it in the error. */
const COUNTED = {
  'before now': { sign: -1, such: 'PT1H for the last hour' },
  'from now': { sign: 1, such: 'P90D for 90 days from now' },
} as const;

/**
 * The time in a flag, in epoch milliseconds by the time now: an ISO 8601 date, with a time and a zone or without, or a
 * duration. Throws {@link WrongUsage} if it is neither.
 */
export function timeOption(
  flag: string,
  text: string,
  counted: keyof typeof COUNTED,
): (now: number) => number {
  const { sign, such } = COUNTED[counted];
  if (text.startsWith('P')) {
    try {
      const length = duration(text);
      return (now) => now + sign * length;
    } catch (error) {
      throw new WrongUsage(`${flag}: ${(error as Error).message}`);
    }
  }
  const at = Date.parse(text);
  if (!isTime(text) || Number.isNaN(at))
    throw new WrongUsage(
      `${flag}: "${text}" is no time: write 2026-01-31, 2026-01-31T08:00:00Z, or ${such}.`,
    );
  return () => at;
}

/** The last millisecond that a date with a year of four digits can name (RFC 3339). */
const LAST = Date.UTC(10_000) - 1;

/** The time as operations take it. A time that no date there can name becomes the first or the last one. */
export const dateTime = (at: number): string => new Date(Math.min(Math.max(at, 0), LAST)).toISOString();
