import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import { Type } from '../../core/schema.ts';

/** The most resources of a page. */
export const MOST_LISTED = 200;

/** The arguments of a list (RFC 7644 section 3.4.2.4). */
export const pageArguments = {
  startIndex: Type.Optional(Type.String({ description: 'the number of the first one, from 1 on' })),
  count: Type.Optional(Type.String({ description: `how many, ${MOST_LISTED} at most` })),
};

/** Which part of a list is asked for. */
export interface PageAsked {
  /** From 1 on. */
  readonly startIndex: number;
  readonly count: number;
}

function numberIn(text: string | undefined, absent: number): number | undefined {
  if (text === undefined || text === '') return absent;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The part of a list that these arguments ask for: a number that is too low or too high counts as the nearest one. */
export function pageIn(query: {
  readonly startIndex?: string;
  readonly count?: string;
}): PageAsked | Refusal<'argument_invalid'> {
  const startIndex = numberIn(query.startIndex, 1);
  const count = numberIn(query.count, MOST_LISTED);
  if (startIndex === undefined) return refuse('argument_invalid', { detail: 'startIndex (a whole number)' });
  if (count === undefined) return refuse('argument_invalid', { detail: 'count (a whole number)' });
  return { startIndex: Math.max(startIndex, 1), count: Math.min(Math.max(count, 0), MOST_LISTED) };
}
