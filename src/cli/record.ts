import { COMMAND_LINE, type Event, type EventKind } from '../domain/event.ts';
import type { WriteUnit } from '../storage/store.ts';

/**
 * Records an event of the command line in the transaction of the change: what it did to a user, or to what the reason
 * names.
 */
export function record(
  unit: WriteUnit,
  kind: EventKind,
  at: number,
  about: Pick<Event, 'user' | 'reason'>,
): Promise<void> {
  return unit.events.append({ at, kind, from: COMMAND_LINE, ...about });
}
