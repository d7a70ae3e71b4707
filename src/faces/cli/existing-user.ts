import { type User, userKey } from '../../core/domain/user.ts';
import type { Settings } from '../../core/settings/table.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { CommandRefused } from './failure.ts';

/** The user with this name. Throws if there is none. */
export async function existingUser(
  unit: Pick<ReadUnit, 'users'>,
  name: string,
  settings: Settings,
): Promise<User> {
  const user = await unit.users.findByKey(userKey(name, settings.namesCaseSensitive));
  if (user === undefined) throw new CommandRefused(`There is no user "${name}": see 'tessera users list'.`);
  return user;
}
