import type { Static } from 'typebox';
import type { GroupOfUser } from '../../../../core/domain/group.ts';
import { isoTime } from '../../../../core/domain/iso-time.ts';
import {
  displayNameOf,
  PROFILE_FIELDS,
  type Profile,
  type ProfileField,
} from '../../../../core/domain/profile.ts';
import { ROLES, type Role } from '../../../../core/domain/role.ts';
import { isLockedByHand, type User } from '../../../../core/domain/user.ts';
import { oneOf } from '../../../../core/representations/admin/one-of.ts';
import { optionalTime } from '../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { groupMembers } from './group.ts';

/** Whether a user can log in: `disabled` counts before `locked`. */
const USER_STATES = ['active', 'locked', 'disabled'] as const;

/** A user in a list. */
export interface ListedUser {
  readonly user: User;
  readonly profile: Profile;
  /** Whether it is locked out now. */
  readonly locked: boolean;
}

/** A user with all that belongs to it. */
export interface UserShown extends ListedUser {
  /** When it was locked or disabled, in epoch milliseconds; undefined if it is active, or if no event tells it. */
  readonly since: number | undefined;
  /** The role that it was given itself. */
  readonly ownRole: Role | undefined;
  /** The highest role that it has, itself or by a group. */
  readonly role: Role | undefined;
  /** The number of its app passwords. */
  readonly appPasswords: number;
  /** The groups that contain it, directly or by nested groups. */
  readonly groups: readonly GroupOfUser[];
}

const roleShown = (description: string) => Type.Optional(oneOf(ROLES, { description }));
const field = Type.Optional(Type.String());
const fields = Object.fromEntries(PROFILE_FIELDS.map((name) => [name, field])) as Record<
  ProfileField,
  typeof field
>;

const members = {
  userName: Type.String(),
  displayName: Type.String({ description: 'First and last name, else the user name.' }),
  state: oneOf(USER_STATES),
  lockedUntil: optionalTime('When the lock-out ends; missing if it lasts until the user is unlocked.'),
  administrator: Type.Boolean({ description: 'Whether it was itself made an administrator.' }),
  hasPassword: Type.Boolean({
    description:
      'Whether it has a password here. With neither a password nor a provider, anybody can log in as it.',
  }),
  provider: Type.Optional(
    Type.String({
      description:
        'What checks its password and tells its profile: ldap for the directory, or an identity provider by its id. Missing: it is a local user.',
    }),
  ),
  mustChangePassword: Type.Boolean({
    description:
      'Whether the sign-in page asks it for a new password. Logins of programs go on with the old one.',
  }),
  hasSecondFactor: Type.Boolean({ description: 'Whether it has an authenticator app or a passkey.' }),
  profile: Type.Object(fields),
};

/** The JSON of a user. JSON leaves out members that are undefined. */
function userJson({ user, profile, locked }: ListedUser) {
  const {
    name,
    administrator,
    passwordHash,
    provider,
    lockedUntil,
    disabled,
    mustChangePassword,
    hasSecondFactor,
  } = user;
  const state: (typeof USER_STATES)[number] = disabled ? 'disabled' : locked ? 'locked' : 'active';
  return {
    userName: name,
    displayName: displayNameOf(name, profile),
    state,
    lockedUntil: locked && !isLockedByHand(user) ? isoTime(lockedUntil) : undefined,
    administrator,
    hasPassword: passwordHash !== undefined,
    provider,
    mustChangePassword,
    hasSecondFactor,
    profile,
  };
}

/** The JSON of a user in a list. Only lists tell the last sign-in: it would make the `ETag` of a user another one. */
export const listedUserJson = (listed: ListedUser) => ({
  ...userJson(listed),
  lastSignIn: isoTime(listed.user.lastLoginAt || undefined),
});

export const listedUserShown = Type.Object(
  {
    ...members,
    lastSignIn: optionalTime('When it last signed in, up to an hour too early; missing if it never did.'),
  },
  { title: 'Listed user' },
);

export const userShown = {
  schema: Type.Object(
    {
      ...members,
      since: optionalTime('When it was locked or disabled, if an event tells it.'),
      ownRole: roleShown('The role that it was given itself.'),
      role: roleShown('The highest role that it has, itself or by a group.'),
      appPasswords: Type.Integer({ description: 'How many app passwords it has.' }),
      groups: Type.Array(
        Type.Object({
          ...groupMembers,
          direct: Type.Boolean({ description: 'Whether it is a member itself, not only by a nested group.' }),
        }),
      ),
    },
    { title: 'User' },
  ),
  json: ({ since, ownRole, role, appPasswords, groups, ...listed }) => ({
    ...userJson(listed),
    since: isoTime(since),
    ownRole,
    role,
    appPasswords,
    groups: groups.map(({ name, displayName, role, direct }) => ({ name, displayName, role, direct })),
  }),
} satisfies Representation<UserShown>;

/** The JSON of a user. */
export type UserJson = Static<typeof userShown.schema>;
