import { faultOfNewGroupName, shortNameOf } from '../../../core/domain/group.ts';
import {
  faultOfProfileValue,
  PROFILE_FIELDS,
  type Profile,
  type ProfileField,
} from '../../../core/domain/profile.ts';
import type { NamedGroup } from '../../people/rules/groups.ts';

/** A person of the old server. */
export interface OldPerson {
  readonly userName: string;
  readonly administrator: boolean;
  readonly guest: boolean;
  /** The values of the person that a profile here can hold. */
  readonly profile: Profile;
  /** The groups that contain the person there, also by nested groups, as far as groups here can have their names. */
  readonly groups: readonly NamedGroup[];
}

/** A person as the old server shows it. Nothing of it is checked yet. */
type PersonThere = Readonly<Record<string, unknown>>;

/** The names of fields there, where they differ from ours. */
const NAMES_THERE: Partial<Record<ProfileField, string>> = {
  jobTitle: 'jobtitle',
  description: 'persondescription',
};

/** A text that can be a value of the field; undefined if it is none. */
function fieldValue(field: ProfileField | 'displayName', value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return faultOfProfileValue(field, value) === undefined ? value : undefined;
}

function profileOf(person: PersonThere): Profile {
  const fields = PROFILE_FIELDS.map(
    (field) => [field, fieldValue(field, person[NAMES_THERE[field] ?? field])] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function groupsOf({ groups }: PersonThere): NamedGroup[] {
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown) => {
    const { itemName, displayName }: PersonThere = Object(group);
    if (typeof itemName !== 'string' || faultOfNewGroupName(itemName) !== undefined) return [];
    return [{ name: shortNameOf(itemName), displayName: fieldValue('displayName', displayName) }];
  });
}

/**
 * The person in an answer of `people/{userName}?groups=true`. Undefined if it does not tell whether the person is an
 * administrator or the guest. A value or a group that cannot be kept here is left out.
 */
export function oldPersonIn(answer: unknown): OldPerson | undefined {
  const person: PersonThere = Object(answer);
  const { isAdmin, isGuest }: PersonThere = Object(person.capabilities);
  const { userName, isAdminAuthority = false } = person;
  const told = [isAdmin, isGuest, isAdminAuthority];
  if (typeof userName !== 'string' || told.some((flag) => typeof flag !== 'boolean')) return undefined;
  return {
    userName,
    administrator: isAdmin === true || isAdminAuthority === true,
    guest: isGuest === true,
    profile: profileOf(person),
    groups: groupsOf(person),
  };
}
