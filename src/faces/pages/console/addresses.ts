/** The page of a user. */
export const userAddress = (name: string) => `/portal/console/users/${encodeURIComponent(name)}`;

/** The page of a group. */
export const groupAddress = (name: string) => `/portal/console/groups/${encodeURIComponent(name)}`;

/** An address with these arguments. Empty ones are left out. */
export function addressWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]));
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`;
}
