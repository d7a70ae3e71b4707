import type { GroupOfUser } from '../../../core/domain/group.ts';
import { displayNameOf, type Profile } from '../../../core/domain/profile.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { hasSubject } from '../../people/rules/external-ids.ts';
import { type Attributes, CORE_USER, ENTERPRISE_USER } from '../attributes.ts';
import { groupIdOf } from '../groups/group-id.ts';

/** A user with everything that its resource shows. */
export interface UserRecord {
  readonly user: User;
  readonly profile: Profile;
  readonly externalId: string | undefined;
  /** Empty if they were not asked for. */
  readonly groups: readonly GroupOfUser[];
}

type RecordUnit = Pick<ReadUnit, 'profiles' | 'groups' | 'externalIds' | 'externalIdentities'>;

/** These users, of up to 1,000, with what their resources show. */
export async function userRecords(
  unit: RecordUnit,
  users: readonly User[],
  provider: string | undefined,
  withGroups: boolean,
): Promise<readonly UserRecord[]> {
  const ids = users.map(({ id }) => id);
  const [profiles, externalIds, subjects, groups] = await Promise.all([
    unit.profiles.ofUsers(ids),
    unit.externalIds.of('user', ids),
    Promise.all(
      users.map((user) => (hasSubject(user, provider) ? unit.externalIdentities.ofUser(user.id) : undefined)),
    ),
    Promise.all(ids.map((id) => (withGroups ? unit.groups.ofUser(id) : []))),
  ]);
  return users.map((user, at) => ({
    user,
    profile: profiles.get(user.id) ?? {},
    externalId: hasSubject(user, provider) ? subjects[at]?.subject : externalIds.get(user.id),
    groups: groups[at] ?? [],
  }));
}

/** The address of a user's resource. */
const locationOf = (basePath: string, { id }: Pick<User, 'id'>) => `${basePath}/Users/${id}`;

function nameOf({ user, profile }: UserRecord): Attributes {
  const { firstName, lastName } = profile;
  return {
    formatted: displayNameOf(user.name, profile),
    ...(lastName !== undefined && { familyName: lastName }),
    ...(firstName !== undefined && { givenName: firstName }),
  };
}

function contactsOf({ email, telephone, mobile }: Profile): Attributes {
  const numbers = [
    ...(telephone === undefined ? [] : [{ value: telephone, type: 'work' }]),
    ...(mobile === undefined ? [] : [{ value: mobile, type: 'mobile' }]),
  ];
  return {
    ...(email !== undefined && { emails: [{ value: email, type: 'work', primary: true }] }),
    ...(numbers.length > 0 && { phoneNumbers: numbers }),
  };
}

/** The resource of a user (RFC 7643 section 4.1). */
export function userResource(record: UserRecord, basePath: string): Attributes {
  const { user, profile, externalId, groups } = record;
  const { organization, jobTitle } = profile;
  return {
    schemas: organization === undefined ? [CORE_USER] : [CORE_USER, ENTERPRISE_USER],
    id: String(user.id),
    ...(externalId !== undefined && { externalId }),
    userName: user.name,
    name: nameOf(record),
    displayName: displayNameOf(user.name, profile),
    ...(jobTitle !== undefined && { title: jobTitle }),
    active: !user.disabled,
    ...contactsOf(profile),
    groups: groups.map((group) => ({
      value: groupIdOf(group),
      $ref: `${basePath}/Groups/${groupIdOf(group)}`,
      display: group.displayName,
      type: group.direct ? 'direct' : 'indirect',
    })),
    ...(organization !== undefined && { [ENTERPRISE_USER]: { organization } }),
    meta: { resourceType: 'User', location: locationOf(basePath, user) },
  };
}
