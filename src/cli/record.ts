import { COMMAND_LINE, type Event, type EventKind } from '../domain/event.ts';
import type { WriteUnit } from '../storage/store.ts';

/** Records what the command line changed, in the same transaction: of a user, or of what the reason names. */
export function record(
  unit: WriteUnit,
  kind: EventKind,
  about: Pick<Event, 'user' | 'reason'>,
): Promise<void> {
  return unit.events.append({ at: Date.now(), kind, from: COMMAND_LINE, ...about });
}
