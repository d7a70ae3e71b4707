import type { ChangeEvent } from './event.ts';

/** The change that a rule made in the unit. It has no event if nothing changed. */
export interface Change {
  readonly events: readonly ChangeEvent[];
}

/** The outcome if there was nothing to change. */
export const UNCHANGED: Change = { events: [] };

/** A change with this event. */
export const changeWith = (event: ChangeEvent): Change => ({ events: [event] });
