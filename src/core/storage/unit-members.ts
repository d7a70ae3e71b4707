/** A unit with these members in place of its own. Tables that the unit opens at their first use stay unopened. */
export function withMembers<U extends object>(unit: U, members: Partial<U>): U {
  const all = { ...Object.getOwnPropertyDescriptors(unit), ...Object.getOwnPropertyDescriptors(members) };
  return Object.defineProperties({}, all) as U;
}
