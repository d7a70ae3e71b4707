/**
 * The roles of administration (specification, section 16), each with the rights of the ones before it: an auditor
 * sees events and tickets, an operator sees everything, ends tickets and unlocks, an administrator does everything.
 */
export const ROLES = ['auditor', 'operator', 'administrator'] as const;

export type Role = (typeof ROLES)[number];

/**
 * What an API key may do: what a user of a role may, or `scim`. A key with `scim` provisions users and groups by SCIM
 * and is good for nothing else, and no other key is good there.
 */
export const KEY_ROLES = [...ROLES, 'scim'] as const;

export type KeyRole = (typeof KEY_ROLES)[number];

/** Whether a text names a role. */
export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** Whether a text names what an API key may do. */
export function isKeyRole(text: string): text is KeyRole {
  return (KEY_ROLES as readonly string[]).includes(text);
}

/** Whether `role` is `needed` or a higher role. `scim` is neither higher nor lower than another one. */
export function suffices(role: KeyRole | undefined, needed: KeyRole): boolean {
  if (role === undefined || role === 'scim' || needed === 'scim') return role === needed;
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The highest of these roles; undefined if there is none. */
export function highestRole(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}
