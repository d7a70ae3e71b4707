import type { RecordedEvent } from '../../../core/domain/event.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import type { UserShown } from '../representations/admin/user.ts';

/** The kind of event that tells since when a user is disabled or locked; undefined if it is neither. */
export const barOf = ({ disabled }: Pick<User, 'disabled'>, locked: boolean) =>
  disabled ? 'user-disabled' : locked ? 'lock' : undefined;

/** Counts the app passwords of a user. */
type CountAppPasswords = (unit: ReadUnit, user: Pick<User, 'id'>) => Promise<number>;

declare module '../../../core/operation.ts' {
  interface OperationTools {
    /** Missing if no user can have app passwords. */
    readonly countAppPasswords?: CountAppPasswords;
  }
}

/**
 * The user with all that belongs to it. `barred` is the last event of the kind that {@link barOf} names. The reads do not depend
 * on each other, so an engine can send them together.
 */
export async function describeUser(
  unit: ReadUnit,
  user: User,
  locked: boolean,
  barred: Promise<RecordedEvent | undefined> | undefined,
  countAppPasswords: CountAppPasswords = async () => 0,
): Promise<UserShown> {
  const { profiles, roles, groups } = unit;
  const { id } = user;
  const [event, profile, ownRole, role, appPasswords, groupsOfUser] = await Promise.all([
    barred,
    profiles.find(id),
    roles.ownOf(id),
    roles.of(id),
    countAppPasswords(unit, user),
    groups.ofUser(id),
  ]);
  const since = event?.at;
  return { user, locked, since, profile, ownRole, role, appPasswords, groups: groupsOfUser };
}
