import type { Role } from './role.ts';
import { isPossibleName, userKey } from './user.ts';

/** A group of users and of other groups (specification, section 11). */
export interface Group {
  readonly id: number;
  /** The short name, without `GROUP_`, as it was spelled when the group was added. */
  readonly name: string;
  /** The form in which names of groups are compared: see {@link groupKey}. */
  readonly key: string;
  readonly displayName: string;
  /** The role that each of its members has. */
  readonly role: Role | undefined;
}

/** A group that contains a user. */
export interface GroupOfUser extends Group {
  /** Whether the user is a member itself, not only by a nested group. */
  readonly direct: boolean;
  /** Whether no other group contains the group. */
  readonly root: boolean;
}

/** What the names of groups begin with on the wire. */
const PREFIX = 'GROUP_';

/** The names of the groups that are computed and never stored: everyone, and the administrators. */
export const EVERYONE = 'EVERYONE';
export const ADMINISTRATORS = 'ALFRESCO_ADMINISTRATORS';

/** A group as its members see it. */
export type GroupSeen = Pick<GroupOfUser, 'name' | 'displayName' | 'root'>;

/** The computed groups as their members see them. In the reference, everyone's group is not among the roots. */
export const EVERYONE_GROUP: GroupSeen = { name: EVERYONE, displayName: EVERYONE, root: false };
export const ADMINISTRATORS_GROUP: GroupSeen = {
  name: ADMINISTRATORS,
  displayName: ADMINISTRATORS,
  root: true,
};

/** The groups sorted by their names, which are compared by code units. */
export function inOrderOfNames<G extends Pick<Group, 'name'>>(groups: readonly G[]): readonly G[] {
  return groups.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The name of a group on the wire: `GROUP_` and its short name. */
export function wireNameOf({ name }: Pick<Group, 'name'>): string {
  return PREFIX + name;
}

/** The short name in a name that may begin with `GROUP_`. */
export function shortNameOf(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}

/** The form in which names of groups are compared. Case never counts. */
export function groupKey(name: string): string {
  return userKey(shortNameOf(name));
}

/** A group to be added, with its name in NFC. The display name is the short name unless it is given. */
export function newGroup(
  name: string,
  { displayName, role }: { readonly displayName?: string | undefined; readonly role?: Role | undefined } = {},
): Omit<Group, 'id'> {
  const short = shortNameOf(name).normalize('NFC');
  return { name: short, key: groupKey(short), displayName: displayName ?? short, role };
}

/** Why a new group cannot have this name, and what to do; undefined if it can. */
export function faultOfNewGroupName(name: string): string | undefined {
  const short = shortNameOf(name);
  if (!isPossibleName(short) || short !== short.trim())
    return 'the name of a group has 1 to 256 characters, none of them a control or format character, and no white space at an end';
  if (/[/\\,:;"*<>?|]/.test(short))
    return 'the name of a group has none of the characters / \\ , : ; " * < > ? |: leave them out';
  if (short.startsWith(PREFIX)) return 'the name of a group has one GROUP_ at most: leave the other out';
  if ([EVERYONE, ADMINISTRATORS].some((computed) => groupKey(computed) === groupKey(short)))
    return `${PREFIX}${short.toUpperCase()} is computed from the users and cannot be stored: choose another name`;
  return undefined;
}
