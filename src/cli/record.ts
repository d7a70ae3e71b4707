import { COMMAND_LINE, type Event, type EventKind } from '../domain/event.ts';
import type { WriteUnit } from '../storage/store.ts';

/** Records what the command line changed at an instant of the store, in the same transaction: of a user, or of what the reason names. */
export function record(
  unit: WriteUnit,
  kind: EventKind,
  at: number,
  about: Pick<Event, 'user' | 'reason'>,
): Promise<void> {
  return unit.events.append({ at, kind, from: COMMAND_LINE, ...about });
}
