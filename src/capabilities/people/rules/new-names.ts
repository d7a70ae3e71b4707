import { ADMINISTRATORS, EVERYONE, groupKey, shortNameOf } from '../../../core/domain/group.ts';
import { faultOfNewName, lookalikeKey, type User, userKey } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';

/** A user whose name looks like this one, though it is another. Undefined if there is none but perhaps `own`. */
async function lookalikeOf(
  { users }: Pick<ReadUnit, 'users'>,
  name: string,
  own?: Pick<User, 'id'>,
): Promise<User | undefined> {
  const found = await users.lookalikes(lookalikeKey(name));
  const sensitive = (await users.namesCaseSensitive()) ?? false;
  const [key, lookalike] = [userKey(name, sensitive), lookalikeKey(name, sensitive)];
  return found.find(
    (user) => user.id !== own?.id && user.key !== key && lookalikeKey(user.name, sensitive) === lookalike,
  );
}

/**
 * Why no new user can have this name, and why an existing one (`own`) cannot get it: a sentence that says what to do.
 * Undefined if nothing is wrong, though a user may have this very name. A write unit locks the set of users, so that no lookalike
 * is added meanwhile.
 */
export async function faultOfNameOfUser(
  unit: Pick<ReadUnit, 'users'>,
  name: string,
  own?: Pick<User, 'id'>,
): Promise<string | undefined> {
  const fault = faultOfNewName(name);
  if (fault !== undefined) return fault;
  const other = await lookalikeOf(unit, name, own);
  return other && looksLike('user', other.name);
}

const looksLike = (what: 'user' | 'group', name: string) =>
  `the name looks like that of the ${what} "${name}", which has other characters: choose another name`;

/** Why no new group can have this name, beside what its characters are. Undefined if nothing is wrong. */
export async function faultOfNameOfGroup(
  { groups }: Pick<ReadUnit, 'groups'>,
  name: string,
): Promise<string | undefined> {
  const short = shortNameOf(name);
  if (short === '.' || short === '..')
    return 'no page can show a group that is called . or ..: choose another name';
  const lookalike = groupKey(lookalikeKey(short));
  const computed = [EVERYONE, ADMINISTRATORS].find((each) => groupKey(each) === lookalike);
  if (computed !== undefined) return looksLike('group', computed);
  const other = await groups.findByKey(lookalike);
  return other === undefined || other.key === groupKey(short) ? undefined : looksLike('group', other.name);
}
