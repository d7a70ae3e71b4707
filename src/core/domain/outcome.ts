import type { ChangeEvent } from './event.ts';

/** The change that a rule made in the unit. It has no event if nothing changed. */
export interface Change {
  readonly events: readonly ChangeEvent[];
}

/** The outcome if there was nothing to change. */
export const UNCHANGED: Change = { events: [] };

/** Why a rule forbids a change. */
export type ForbiddenKind =
  | 'invalid'
  | 'unknown'
  | 'taken'
  | 'circle'
  | 'has-role'
  | 'user-has-role'
  | 'not-provisioned'
  | 'passwordless'
  | 'elsewhere'
  | 'last-administrator';

/** A change that a rule forbids. Nothing was written. */
export interface Forbidden<K extends ForbiddenKind = ForbiddenKind> {
  readonly forbidden: K;
  /** What is wrong and how to mend it, without a full stop at the end. It may repeat names that were given. */
  readonly why: string;
}

/** A change with this event. */
export const changeWith = (event: ChangeEvent): Change => ({ events: [event] });

/** Forbids a change. */
export const forbid = <const K extends ForbiddenKind>(forbidden: K, why: string): Forbidden<K> => ({
  forbidden,
  why,
});

/** Whether a rule forbade the change. */
export function isForbidden(outcome: object): outcome is Forbidden {
  return 'forbidden' in outcome;
}
