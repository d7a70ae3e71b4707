import { faultOfNewName, type User, userKey } from '../../domain/user.ts';
import type { Store } from '../../storage/store.ts';
import type { OldPerson } from './old-server.ts';

/** Why a person of the old server is not learned; nothing when it is. */
export function unlearnable(person: OldPerson, key: string, namesCaseSensitive: boolean): string | undefined {
  if (person.administrator) return 'an administrator there';
  if (person.guest) return 'the guest there';
  if (userKey(person.userName, namesCaseSensitive) !== key) return 'another name there';
  if (faultOfNewName(person.userName) !== undefined) return 'a name that no user can have here';
  return undefined;
}

/**
 * Adds a user who came from this address: the user, or nothing when it was removed here or is there already. In one
 * write unit, so that no removal comes between.
 */
export function learn(
  store: Store,
  user: Omit<User, 'id'>,
  address: string,
  now: number,
): Promise<User | undefined> {
  return store.write(async ({ users, events }) => {
    if (await users.wasRemoved(user.key)) return undefined;
    const learned = await users.add(user);
    if (learned === undefined) return undefined;
    await events.append({
      at: now,
      kind: 'user-added',
      user: user.name,
      from: address,
      reason: 'learned from the old server',
    });
    return learned;
  });
}
