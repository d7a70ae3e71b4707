/** The fields of a profile (specification, section 11), in the order in which they are shown. */
export const PROFILE_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'organization',
  'jobTitle',
  'telephone',
  'mobile',
  'location',
  'description',
] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

/** A user's profile. A field that is missing is not known; no field is an empty text. */
export type Profile = { readonly [F in ProfileField]?: string };

/** The most bytes of UTF-8 in a field. */
const LONGEST_FIELD = 1_024;

const CONTROL = /\p{Cc}/u;

/** Why a field of a profile, or the display name of a group, cannot have this value, and what to do; undefined if it can. */
export function faultOfProfileValue(field: ProfileField | 'displayName', value: string): string | undefined {
  if (CONTROL.test(value)) return `${field} has a control character: give one line of text`;
  if (!value.isWellFormed()) return `${field} is not well-formed text: half of a surrogate pair is missing`;
  const bytes = Buffer.byteLength(value);
  if (bytes > LONGEST_FIELD) return `${field} has ${bytes} bytes: give at most ${LONGEST_FIELD}`;
  return undefined;
}

/** Why a profile cannot have one of these values, and what to do; undefined if it can have all. */
export function faultOfProfile(profile: Profile): string | undefined {
  return PROFILE_FIELDS.map((field) => faultOfProfileValue(field, profile[field] ?? '')).find(
    (fault) => fault !== undefined,
  );
}

/** The profile with these changes. An empty text removes a field. */
export function withChanges(profile: Profile, changes: Profile): Profile {
  const values = PROFILE_FIELDS.map((field) => [field, changes[field] ?? profile[field] ?? ''] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

/** The name that people read: first and last name, else the user name. */
export function displayNameOf(userName: string, { firstName, lastName }: Profile): string {
  const names = [firstName, lastName].filter((name) => name !== undefined);
  return names.length === 0 ? userName : names.join(' ');
}
