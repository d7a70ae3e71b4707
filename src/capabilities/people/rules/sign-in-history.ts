import type { EventKind, RecordedEvent } from '../../../core/domain/event.ts';
import { isPasswordless, type User } from '../../../core/domain/user.ts';
import type { EventPlace } from '../../../core/storage/events.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';

/** The kinds of events in a user's history that there may be many of. Each is read by itself, so that none hides another. */
const TRIES = ['login', 'password-accepted', 'login-refused', 'lock'] as const satisfies readonly EventKind[];

/** The kinds of changes of what a user signs in with. */
const CHANGES = [
  'password-changed',
  'second-factor-added',
  'second-factor-removed',
  'second-factor-reset',
  'recovery-codes-made',
  'recovery-code-used',
  'app-password-added',
  'app-password-removed',
] as const satisfies readonly EventKind[];

/** An event of a sign-in history. */
export type SignInEvent = RecordedEvent & { readonly kind: (typeof TRIES | typeof CHANGES)[number] };

/** The user whose history it is. */
interface HistoryOf {
  readonly id: User['id'];
  readonly name: string;
  /** Whether the name of an event is this user's. The store finds all spellings, which may be names of other users. */
  isOwn(name: string): boolean;
}

/** How many pages of events are read for a kind, or for all changes. More are needed only if names differ by case and another spelling has many events. */
const MOST_PAGES = 20;

/** Up to `limit` events of these kinds about the user, the latest first. */
async function latestOf(
  { events }: Pick<ReadUnit, 'events'>,
  { name, isOwn }: HistoryOf,
  kind: EventKind | readonly EventKind[],
  limit: number,
): Promise<RecordedEvent[]> {
  const own: RecordedEvent[] = [];
  let before: EventPlace | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await events.latest({ user: name, kind, before, limit });
    own.push(...found.filter(({ user }) => user !== undefined && isOwn(user)));
    if (own.length >= limit || found.length < limit) break;
    before = found.at(-1);
  }
  return own.slice(0, limit);
}

const latestFirst = (a: RecordedEvent, b: RecordedEvent) => b.at - a.at || b.id - a.id;

/**
 * The latest sign-ins, refused tries and lock-outs of a user, and changes of what signs the user in, the latest first, `limit`
 * at most. Events from before the user
 * was added are of an earlier user of the name, and left out. A user without a password has none: anybody may log in as it, so
 * they are of other people.
 */
export async function signInHistory(
  unit: Pick<ReadUnit, 'events' | 'users'>,
  user: HistoryOf,
  limit: number,
): Promise<SignInEvent[]> {
  const [current, [added], ...tries] = await Promise.all([
    unit.users.find(user.id),
    latestOf(unit, user, 'user-added', 1),
    ...[...TRIES, CHANGES].map((kinds) => latestOf(unit, user, kinds, limit)),
  ]);
  if (current === undefined || isPasswordless(current)) return [];
  const all = tries.flat().filter((event) => added === undefined || latestFirst(event, added) <= 0);
  return all.sort(latestFirst).slice(0, limit) as SignInEvent[];
}
