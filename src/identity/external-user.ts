import type { ExternalPerson } from '../domain/external-identity.ts';
import {
  type ExternalUserRules,
  type Occasion,
  type SettledUser,
  settleExternalUserIn,
  unchangedExternalUser,
} from '../people/external-users.ts';
import type { Store } from '../storage/store.ts';

/** Settles a person as {@link settleExternalUserIn} does, in a write unit of its own, or without one if nothing differs. */
export async function settleExternalUser(
  store: Store,
  person: ExternalPerson,
  rules: ExternalUserRules,
  occasion: Occasion,
): Promise<SettledUser> {
  const user = await store.read((unit) => unchangedExternalUser(unit, person));
  return user === undefined
    ? store.write((unit) => settleExternalUserIn(unit, person, rules, occasion))
    : { user };
}
