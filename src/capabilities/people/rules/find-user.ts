import type { EventKind, RecordedEvent } from '../../../core/domain/event.ts';
import { type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { maskedIfTicket } from '../../../core/domain/ticket.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';

/** The user of this name, by the key that `keyOf` gives for it. */
export async function findUser(
  unit: Pick<ReadUnit, 'users'>,
  name: string,
  keyOf: (name: string) => string,
): Promise<User | Refusal<'user_not_found'>> {
  const user = await unit.users.findByKey(keyOf(name));
  return user ?? refuse('user_not_found', { detail: maskedIfTicket(name) });
}

/** How many events are looked through for one of the user itself. */
const MOST_ALIKE = 20;

/** The last event of this kind that happened to the user; undefined if none is kept. */
export async function lastEvent(
  { events }: Pick<ReadUnit, 'events'>,
  { name }: Pick<User, 'name'>,
  kind: EventKind,
): Promise<RecordedEvent | undefined> {
  // Where names differ by case, the events of other users are among these.
  const latest = await events.latest({ user: name, kind, limit: MOST_ALIKE });
  return latest.find(({ user }) => user === name);
}
