import type { ChangeEvent } from '../../domain/event.ts';
import type { User } from '../../domain/user.ts';
import { joinGroup, joinNamedGroups } from '../../people/groups.ts';
import { isForbidden } from '../../people/outcome.ts';
import type { Store, WriteUnit } from '../../storage/store.ts';
import type { OldPerson } from './old-person.ts';

/**
 * Adds a user whose password the old server accepted, with the profile and the groups of the person there, for a login from
 * this address. Returns undefined if the user was removed here or exists already. It does so in one write unit, so that no
 * removal comes in between. No group gives the user a role: it stays out of those that would.
 */
export function learn(
  store: Store,
  user: Omit<User, 'id'>,
  { profile, groups }: Pick<OldPerson, 'profile' | 'groups'>,
  address: string,
  now: number,
): Promise<User | undefined> {
  return store.write(async (unit) => {
    if (await unit.users.wasRemoved(user.key)) return undefined;
    const learned = await unit.users.add(user);
    if (learned === undefined) return undefined;
    await unit.profiles.put(learned.id, profile);
    const reason = 'learned from the old server';
    const events: ChangeEvent[] = [{ kind: 'user-added', user: user.name, reason }];
    events.push(...(await joinWithoutRole(unit, learned, groups)));
    for (const event of events) await unit.events.append({ at: now, from: address, ...event });
    return learned;
  });
}

async function joinWithoutRole(
  unit: WriteUnit,
  user: User,
  groups: OldPerson['groups'],
): Promise<ChangeEvent[]> {
  const joined = await joinNamedGroups(unit, { user }, groups);
  if (isForbidden(joined)) return [];
  if ((await unit.roles.of(user.id)) === undefined) return [...joined.events];
  const own = (await unit.groups.ofUser(user.id)).filter(({ direct }) => direct);
  for (const { id } of own) await unit.groups.removeUser(id, user.id);
  const events = joined.events.filter(({ kind }) => kind !== 'group-joined');
  for (const group of own) {
    const again = await joinGroup(unit, group, { user });
    if ((await unit.roles.of(user.id)) !== undefined) await unit.groups.removeUser(group.id, user.id);
    else if (!isForbidden(again)) events.push(...again.events);
  }
  return events;
}
