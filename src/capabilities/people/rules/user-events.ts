import type { RecordedEvent } from '../../../core/domain/event.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';

/** How many events of each kind tell whether a user can sign in. Of most kinds the last one of the user itself does. */
const MOST = {
  'user-added': 20,
  login: 20,
  'password-accepted': 20,
  'password-changed': 20,
  'user-disabled': 20,
  lock: 20,
  'login-refused': 100,
} as const;

type Kind = keyof typeof MOST;

/**
 * The latest events about a user by their kinds, the latest first. Where names differ by case, the events of other users are
 * among them.
 */
export type UserEvents = Readonly<Record<Kind, readonly RecordedEvent[]>>;

/** Reads them once for all that asks about the user. The reads do not depend on each other, so an engine can send them together. */
export async function userEventsOf(
  { events }: Pick<ReadUnit, 'events'>,
  { name: user }: Pick<User, 'name'>,
): Promise<UserEvents> {
  const read = Object.entries(MOST).map(async ([kind, limit]) => [
    kind,
    await events.latest({ user, kind: kind as Kind, limit }),
  ]);
  return Object.fromEntries(await Promise.all(read)) as UserEvents;
}

/** The last of these events that happened to the user itself; undefined if none is kept. */
export const lastOwn = (
  events: readonly RecordedEvent[],
  { name }: Pick<User, 'name'>,
): RecordedEvent | undefined => events.find(({ user }) => user === name);
