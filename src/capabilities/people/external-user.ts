import type { ExternalPerson } from '../../core/domain/external-identity.ts';
import type { Store } from '../../core/storage/store.ts';
import {
  type ChangeOrigin,
  type ExternalUserRules,
  type ProvisionedUser,
  provisionExternalUserIn,
  unchangedExternalUser,
} from './rules/external-users.ts';

/** Provisions a person as {@link provisionExternalUserIn} does, in a write unit of its own, or without one if nothing differs. */
export async function provisionExternalUser(
  store: Store,
  person: ExternalPerson,
  rules: ExternalUserRules,
  changeOrigin: ChangeOrigin,
): Promise<ProvisionedUser> {
  const user = await store.read((unit) => unchangedExternalUser(unit, person, rules));
  return user === undefined
    ? store.write((unit) => provisionExternalUserIn(unit, person, rules, changeOrigin))
    : { user };
}
