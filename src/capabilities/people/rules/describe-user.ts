import type { RecordedEvent } from '../../../core/domain/event.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import type { UserShown } from '../representations/admin/user.ts';

/** The kind of event that tells since when a user is disabled or locked; undefined if it is neither. */
export const barOf = ({ disabled }: Pick<User, 'disabled'>, locked: boolean) =>
  disabled ? 'user-disabled' : locked ? 'lock' : undefined;

/**
 * The user with all that belongs to it. `barred` is the last event of the kind that {@link barOf} names. The reads do not depend
 * on each other, so an engine can send them together.
 */
export async function describeUser(
  { profiles, roles, appPasswords, groups }: ReadUnit,
  user: User,
  locked: boolean,
  barred: Promise<RecordedEvent | undefined> | undefined,
): Promise<UserShown> {
  const { id } = user;
  const [event, profile, ownRole, role, own, groupsOfUser] = await Promise.all([
    barred,
    profiles.find(id),
    roles.ownOf(id),
    roles.of(id),
    appPasswords.ofUser(id),
    groups.ofUser(id),
  ]);
  const since = event?.at;
  return { user, locked, since, profile, ownRole, role, appPasswords: own.length, groups: groupsOfUser };
}
