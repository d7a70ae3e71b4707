import type { ChangeEvent } from '../../../core/domain/event.ts';
import { isRefusal } from '../../../core/domain/refusal.ts';
import type { RequestOrigin } from '../../../core/domain/request-origin.ts';
import type { User } from '../../../core/domain/user.ts';
import type { Store, WriteUnit } from '../../../core/storage/store.ts';
import { addUser } from '../../people/rules/bring-user.ts';
import { faultOfFreedName } from '../../people/rules/freed-names.ts';
import { joinNamedGroups } from '../../people/rules/groups.ts';
import type { OldPerson } from './old-person.ts';

/**
 * Adds a user whose password the old server accepted, with the profile and the groups of the person there, for a login of
 * this origin. Returns undefined if the user was removed here or exists already, if another person had the name lately, or if
 * no new user can have it. It does so in one write unit, so that no
 * removal comes in between. The user does not join a group that would give it a role.
 */
export function learn(
  store: Store,
  user: Omit<User, 'id'>,
  { profile, groups }: Pick<OldPerson, 'profile' | 'groups'>,
  origin: RequestOrigin,
  now: number,
): Promise<User | undefined> {
  return store.write(async (unit) => {
    if (await unit.users.wasRemoved(user.key)) return undefined;
    if ((await faultOfFreedName(unit, user.name, { externalId: undefined, now })) !== undefined)
      return undefined;
    const learned = await addUser(unit, { ...user, profile }, { reason: 'learned from the old server' });
    if (isRefusal(learned)) return undefined;
    const events = [...learned.events, ...(await joinWithoutRole(unit, learned.user, groups))];
    for (const event of events) await unit.events.append({ at: now, ...origin, ...event });
    return learned.user;
  });
}

class NotJoined extends Error {}

/** Joins these groups, unless one of them is forbidden or gives the user a role: then nothing of it stays. */
async function joinIfWithoutRole(
  unit: WriteUnit,
  user: User,
  groups: OldPerson['groups'],
): Promise<readonly ChangeEvent[] | undefined> {
  let events: readonly ChangeEvent[] | undefined;
  const fault = await unit.aside(async () => {
    const joined = await joinNamedGroups(unit, { user }, groups);
    if (isRefusal(joined) || (await unit.roles.of(user.id)) !== undefined) throw new NotJoined();
    events = joined.events;
  });
  if (fault !== undefined && !(fault instanceof NotJoined)) throw fault;
  return events;
}

async function joinWithoutRole(
  unit: WriteUnit,
  user: User,
  groups: OldPerson['groups'],
): Promise<readonly ChangeEvent[]> {
  const all = await joinIfWithoutRole(unit, user, groups);
  if (all !== undefined) return all;
  const events: ChangeEvent[] = [];
  for (const group of groups) events.push(...((await joinIfWithoutRole(unit, user, [group])) ?? []));
  return events;
}
