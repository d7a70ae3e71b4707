import type { ApiKey } from '../domain/api-key.ts';
import type { Group, GroupOfUser } from '../domain/group.ts';
import type { Profile } from '../domain/profile.ts';
import type { Role } from '../domain/role.ts';
import type { User } from '../domain/user.ts';

/** Which users to list. */
export interface UserFilter {
  /** Those whose key begins with this. */
  readonly prefix?: string | undefined;
  /** Those with this text of at least three characters in user name, first and last name, or e-mail. Case never counts. */
  readonly part?: string | undefined;
  readonly administrators?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** Those who are locked out at this time, in epoch milliseconds. */
  readonly lockedAt?: number | undefined;
  readonly neverLoggedIn?: boolean | undefined;
  readonly withoutSecondFactor?: boolean | undefined;
}

/** The order of a list of users. Those who logged in at the same time, or never, are sorted by key, in the same direction. */
export interface UserOrder {
  readonly by: 'key' | 'lastLoginAt';
  readonly descending: boolean;
}

/** A page of a list of users begins after this one. The last login counts where it decides about the order. */
export type UserPlace = Pick<User, 'id' | 'key'> & Partial<Pick<User, 'lastLoginAt'>>;

export interface ProfilesRead {
  /** The user's profile; an empty one if nothing is known. */
  find(userId: number): Promise<Profile>;
  /** The profiles of these users, of up to 1,000. A user of whom nothing is known is missing. */
  ofUsers(userIds: readonly number[]): Promise<ReadonlyMap<number, Profile>>;
}

export interface Profiles extends ProfilesRead {
  /** Replaces the user's profile. */
  put(userId: number, profile: Profile): Promise<void>;
}

export interface GroupsRead {
  find(id: number): Promise<Group | undefined>;
  findByKey(key: string): Promise<Group | undefined>;
  /** Up to `limit` groups after `after` whose key begins with `prefix`, sorted by key. */
  page(prefix: string, after: Pick<Group, 'key'> | undefined, limit: number): Promise<Group[]>;
  /** The groups that contain the user, directly or by nested groups, sorted by key. One statement, however deep they nest. */
  ofUser(userId: number): Promise<readonly GroupOfUser[]>;
  /** The groups that contain this group directly, sorted by key. */
  containing(groupId: number): Promise<Group[]>;
  /** The groups directly in this group, sorted by key. */
  groupsIn(groupId: number): Promise<Group[]>;
  /** Up to `limit` users directly in this group, by ascending ids after `afterId`. */
  usersIn(groupId: number, afterId: number, limit: number): Promise<User[]>;
}

/** Changes of a group. An undefined `role` takes the role away; a missing one leaves it. */
export type GroupChange = Partial<Pick<Group, 'displayName' | 'role'>>;

/**
 * `people/` decides which group may be in which. A write unit that asks `find`, `findByKey` or `containing` locks the groups,
 * their members and their nesting until it ends.
 */
export interface Groups extends GroupsRead {
  /** The new group; undefined when the key is taken. */
  add(group: Omit<Group, 'id'>): Promise<Group | undefined>;
  change(id: number, change: GroupChange): Promise<void>;
  /** Removes the group, from other groups too. Its members stay. */
  remove(id: number): Promise<void>;
  /** Adds a user; returns false if it is a member already. */
  addUser(groupId: number, userId: number): Promise<boolean>;
  /** Returns whether the user was a member itself. */
  removeUser(groupId: number, userId: number): Promise<boolean>;
  /** Adds a group; returns false if it is a member already. */
  addGroup(groupId: number, memberId: number): Promise<boolean>;
  /** Returns whether the group was a member itself. */
  removeGroup(groupId: number, memberId: number): Promise<boolean>;
}

export interface RolesRead {
  /** The role that the user was given itself. */
  ownOf(userId: number): Promise<Role | undefined>;
  /**
   * The highest role that the user has, itself or by a group that contains it. One statement. A user without a password has
   * none, since any password logs it in; a user of a provider proves itself there.
   */
  of(userId: number): Promise<Role | undefined>;
  /**
   * Whether there is an administrator, itself or by a group, who has a password or a provider and is neither disabled nor locked by
   * hand. A write unit locks the set of users.
   */
  hasAdministrator(): Promise<boolean>;
}

/** The role `administrator` of a user itself is `administrator` of the user: `users.change` gives and takes it. */
export interface Roles extends RolesRead {
  give(userId: number, role: Exclude<Role, 'administrator'> | undefined): Promise<void>;
}

export interface ApiKeysRead {
  find(name: string): Promise<ApiKey | undefined>;
  findByDigest(digest: Buffer): Promise<ApiKey | undefined>;
  /** Sorted by name, in the order of code points. */
  list(): Promise<ApiKey[]>;
}

export interface ApiKeys extends ApiKeysRead {
  /** Adds a key; returns false, and changes nothing, when the name is taken. */
  add(key: ApiKey): Promise<boolean>;
  /** Removes the key; returns whether there was one. */
  remove(name: string): Promise<boolean>;
  /** Moves the last use forward to `at`; never back. */
  use(name: string, at: number): Promise<void>;
}
