/**
 * The roles of administration (`people.md` section 16), each with the rights of the ones before it: an auditor
 * sees events and tickets, an operator sees everything, ends tickets and unlocks, an administrator does everything.
 */
export const ROLES = ['auditor', 'operator', 'administrator'] as const;

export type Role = (typeof ROLES)[number];

/** Whether a text names a role. */
export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** Whether `role` is `needed` or a higher role. */
export function suffices(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The highest of these roles; undefined if there is none. */
export function highestRole(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}
