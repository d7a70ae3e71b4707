import type { Group } from '../../core/domain/group.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import type { User } from '../../core/domain/user.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { givesRole } from '../people/rules/groups.ts';

/** Whether SCIM keeps this user: one of its provider, or without a provider one with a password here. */
export const isProvisioned = ({ provider }: Pick<User, 'provider'>, ofScim: string | undefined) =>
  provider === ofScim;

/** Forbids SCIM to touch a user whom it does not keep. */
export function notProvisioned({ name, provider }: Pick<User, 'name' | 'provider'>) {
  const whose = provider === undefined ? 'has its password here' : `belongs to ${provider}`;
  return refuse('user_not_provisioned', {
    detail: `"${name}" ${whose}: have an administrator make the change here`,
  });
}

/**
 * Why SCIM may not change or remove this user; undefined if it may. A user with a role, of its own or by a group, is out of
 * its reach: a holder of the key could otherwise set the password of an administrator and sign in with it.
 */
export async function faultOfUserChange(
  { roles, groups }: Pick<ReadUnit, 'roles' | 'groups'>,
  user: User,
  provider: string | undefined,
): Promise<Refusal<'user_not_provisioned' | 'user_has_role'> | undefined> {
  if (!isProvisioned(user, provider)) return notProvisioned(user);
  const hasRole =
    (await roles.ownOf(user.id)) !== undefined ||
    (await groups.ofUser(user.id)).some(({ role }) => role !== undefined);
  if (!hasRole) return undefined;
  return refuse('user_has_role', {
    detail: `"${user.name}" has a role: have an administrator make the change here, or take the role away first`,
  });
}

/** Why SCIM may not change or remove this group; undefined if it may. */
export async function faultOfGroupChange(
  unit: Pick<ReadUnit, 'groups'>,
  group: Group,
): Promise<Refusal<'group_has_role'> | undefined> {
  if (!(await givesRole(unit, group))) return undefined;
  return refuse('group_has_role', {
    detail:
      'have an administrator make the change here, or take a group that neither has a role nor is in one that has',
  });
}
