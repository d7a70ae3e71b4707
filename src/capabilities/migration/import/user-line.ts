import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import type { ExternalIdentity } from '../../../core/domain/external-identity.ts';
import { faultOfNewGroupName } from '../../../core/domain/group.ts';
import {
  faultOfProfile,
  faultOfProfileValue,
  PROFILE_FIELDS,
  type Profile,
} from '../../../core/domain/profile.ts';
import { isRole, ROLES, type Role } from '../../../core/domain/role.ts';
import { faultOfName as faultOfAnyName, userKey } from '../../../core/domain/user.ts';
import type { ImportedHash } from '../../../core/identity/hash-steps.ts';
import { Type } from '../../../core/schema.ts';
import { isComputed, type NamedGroup } from '../../people/rules/groups.ts';
import { HashUnreadable, readHash } from '../foreign/read.ts';
import { APP_PASSWORDS, type AppPasswordInLine, appPasswordsIn } from './app-passwords-in-line.ts';

/** Groups, as {@link namedGroups} gives them. */
export const GROUPS = Type.Array(
  Type.Object(
    { name: Type.String(), displayName: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  { description: 'a list of names, or a text with commas' },
);
/** The length is judged in bytes, with the other rules of profiles. */
const LINE = Type.String({ description: 'a text' });

const text = (description: string) => Type.String({ description, maxLength: 2_048 });
const answer = (description: string) => Type.Boolean({ description });

/** One line of an import: an object with these members, under our names or those of the reference. */
const UserLine = Type.Object(
  {
    name: Type.Optional(text('the name of the user')),
    userName: Type.Optional(text('the name of the user')),
    passwordHash: Type.Optional(text('the hash of the password, as text')),
    hashIndicator: Type.Optional(
      Type.Array(text('an encoder'), {
        description: 'a list such as ["md4", "bcrypt10"], or a text with commas',
      }),
    ),
    salt: Type.Optional(text('a text, as the reference keeps it')),
    administrator: Type.Optional(answer('true or false')),
    disabled: Type.Optional(answer('true or false')),
    enabled: Type.Optional(answer('true or false')),
    mustChangePassword: Type.Optional(answer('true or false')),
    isDeleted: Type.Optional(
      Type.Literal(false, { description: 'false: leave out people who were deleted' }),
    ),
    provider: Type.Optional(text('ldap for the directory, or the id of an identity provider')),
    subject: Type.Optional(text('the identifier of the person at the provider, which never changes')),
    providerGroups: Type.Optional(
      Type.Array(Type.String(), { description: 'a list of names, or a text with commas' }),
    ),
    externalId: Type.Optional(text('the id that a provisioning system gave to the user (SCIM)')),
    role: Type.Optional(text(`one of ${ROLES.join(', ')}`)),
    groups: Type.Optional(GROUPS),
    totpSecret: Type.Optional(
      Type.String({
        description: 'the secret of an authenticator app, in base32',
        pattern: '^[A-Za-z2-7]{16,1024}=*$',
      }),
    ),
    appPasswords: Type.Optional(APP_PASSWORDS),
    ...Object.fromEntries(
      [...PROFILE_FIELDS, 'jobtitle', 'persondescription'].map((field) => [field, Type.Optional(LINE)]),
    ),
  },
  { additionalProperties: false },
);

const validator = Compile(UserLine);
const MEMBERS = UserLine.properties as Readonly<
  Record<string, { readonly type?: string; readonly description?: string }>
>;

/** The members of a line, which are also the columns of a CSV file. */
export const MEMBER_NAMES = Object.keys(MEMBERS);

/** Other members of a person as the reference shows it, and those of lines of groups. A user's line may have them. */
const LEFT_OUT = new Set(
  `url avatar organizationId companyaddress1 companyaddress2 companyaddress3 companypostcode companytelephone companyfax
  companyemail skype instantmsg userStatus userStatusTime googleusername quota sizeCurrent emailFeedDisabled
  authorizationStatus isAdminAuthority capabilities immutability group displayName`.split(/\s+/),
);

/** Whether a line may have this member. */
export const isKnownMember = (member: string): boolean => member in MEMBERS || LEFT_OUT.has(member);

/** Whether a member is true or false. */
export const isAnswer = (member: string): boolean => MEMBERS[member]?.type === 'boolean';

/** The user that a line describes. */
export interface UserInLine {
  readonly name: string;
  readonly key: string;
  /** Its own role. Undefined if the line gives none. */
  readonly role: Role | undefined;
  /** The fields that the line gives. An empty text removes the field. */
  readonly profile: Profile;
  /** The groups that the line says it is in. */
  readonly groups: readonly NamedGroup[];
  /** Undefined if the line does not say. */
  readonly disabled: boolean | undefined;
  /** Undefined if the line does not say. */
  readonly mustChangePassword: boolean | undefined;
  /** Who the person is at the provider that has the password. Undefined for a local user. */
  readonly identity: Pick<ExternalIdentity, 'provider' | 'subject' | 'groups'> | undefined;
  /** The id that a provisioning system gave. Undefined if the line does not say. */
  readonly externalId: string | undefined;
  /** Undefined if the line has no hash. */
  readonly hash: ImportedHash | undefined;
  /** The secret of an authenticator app (HMAC-SHA-1, 6 digits, 30 seconds) in base32, for a new user. */
  readonly totpSecret: string | undefined;
  readonly appPasswords: readonly AppPasswordInLine[];
}

/** A member name that is safe to print: a misspelt one, but no hash and no escape codes for the terminal. */
const SHOWN = /^[\w:.-]{1,20}$/;

/** The fault of a member that users do not have. It shows no hash that stands in its place. */
export function faultOfMember(member: string): string {
  if (/^(usr:)?password2?$/i.test(member))
    return `has "${member}": passwords are not imported, their hashes are, as "passwordHash"; the reference's usr:password goes there with the hashIndicator md4, its usr:password2 with sha256`;
  const called = SHOWN.test(member) ? `"${member}", which` : 'a member that';
  return `has ${called} users do not have: they have ${MEMBER_NAMES.join(', ')}`;
}

function faultOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'holds no JSON object';
  const unknown = Object.keys(value).find((member) => !isKnownMember(member));
  if (unknown !== undefined) return faultOfMember(unknown);
  const [, [fault]] = validator.Errors(value);
  const member = fault?.instancePath.split('/')[1] ?? '';
  return `"${member}" is not of the form: ${MEMBERS[member]?.description ?? fault?.message}`;
}

/** Why a line with this name is refused. Some names that `users add` accepts are faults of a file. */
export function faultOfImportedName(name: string): string | undefined {
  if (name !== name.trim())
    return 'has a name that begins or ends with white space: take it off (is the column padded?)';
  if (/^\$[\w-]+\$/.test(name)) return 'has a hash for a name: are the columns in their order?';
  const fault = faultOfAnyName(name);
  return fault && `has a name that cannot be a user's: ${fault}`;
}

function faultOfName({ name, userName }: Static<typeof UserLine>): string | undefined {
  if (name !== undefined && userName !== undefined) return 'has "name" and "userName": give one';
  const ownName = name ?? userName ?? '';
  return ownName === '' ? 'has no "name" (or "userName")' : faultOfImportedName(ownName);
}

function hashIn({
  passwordHash,
  hashIndicator,
  salt,
}: Static<typeof UserLine>): ImportedHash | undefined | string {
  if (passwordHash === undefined || passwordHash === '') return undefined;
  try {
    return readHash({ passwordHash, hashIndicator, salt });
  } catch (error) {
    if (error instanceof HashUnreadable) return error.message;
    throw error;
  }
}

/** The form of the ids of providers. */
const PROVIDER = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** The person at a provider in a line; a text says what is wrong with it. */
function identityIn({
  provider,
  subject,
  providerGroups = [],
  passwordHash,
  mustChangePassword,
}: Static<typeof UserLine>): UserInLine['identity'] | string {
  if (provider === undefined && subject === undefined) return undefined;
  if (!provider || !subject) return 'has "provider" or "subject" alone: give both';
  if (!PROVIDER.test(provider)) return `"provider" is not of the form: ${MEMBERS.provider?.description}`;
  if (passwordHash || mustChangePassword)
    return 'has a password and a provider, which has the password: leave "passwordHash" and "mustChangePassword" out';
  return { provider, subject, groups: providerGroups };
}

/** A text in place of a list, as a list with commas; any other value as it is. */
function listed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The groups in a list of names, or of objects with `itemName` and `displayName` as the reference shows them. */
export function namedGroups(value: unknown): unknown {
  const list = listed(value);
  if (!Array.isArray(list)) return list;
  return list.map((group: unknown) => {
    if (typeof group === 'string') return { name: group };
    const { itemName, displayName, ...others } = Object(group);
    return displayName === undefined || displayName === null
      ? { name: itemName, ...others }
      : { name: itemName, displayName, ...others };
  });
}

/** Why a user or group cannot be in these groups; undefined if it can. */
export function faultOfGroups(groups: readonly NamedGroup[]): string | undefined {
  for (const { name, displayName } of groups.filter((group) => !isComputed(group.name))) {
    const fault =
      faultOfNewGroupName(name) ?? (displayName && faultOfProfileValue('displayName', displayName));
    if (fault) return `has a group that cannot be: ${fault}`;
  }
  return undefined;
}

/** Treats a null member as not given, and a text in place of a list as a list with commas. */
function normalized(member: string, value: unknown): unknown {
  if (value === null || LEFT_OUT.has(member)) return undefined;
  if (member === 'groups') return namedGroups(value);
  return member === 'hashIndicator' || member === 'providerGroups' ? listed(value) : value;
}

/** The profile in a line, under our names or those of the reference; a text says what is wrong with it. */
function profileIn(line: Readonly<Record<string, unknown>>): Profile | string {
  const named: Readonly<Record<string, unknown>> = {
    jobTitle: line.jobtitle,
    description: line.persondescription,
    ...line,
  };
  const fields = PROFILE_FIELDS.flatMap((field) => {
    const value = named[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  const profile: Profile = Object.fromEntries(fields);
  const fault = faultOfProfile(profile);
  return fault === undefined ? profile : `has a value that cannot be: ${fault}`;
}

/** The own role in a line; a text says what is wrong with it. */
function roleIn({
  administrator,
  role,
}: Static<typeof UserLine>): { readonly role: Role | undefined } | string {
  if (role !== undefined && !isRole(role)) return `"role" is not of the form: one of ${ROLES.join(', ')}`;
  if (administrator !== undefined && role !== undefined && administrator !== (role === 'administrator'))
    return 'has "administrator" and "role", which differ: give one';
  return { role: administrator === true ? 'administrator' : role };
}

/** The user in a line that was parsed to an object, or what is wrong with the line. */
export function userInLine(input: unknown, namesCaseSensitive: boolean): UserInLine | string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return faultOf(input);
  const members = Object.entries(input).map(
    ([member, value]) => [member, normalized(member, value)] as const,
  );
  const line: unknown = Object.fromEntries(members.filter(([, value]) => value !== undefined));
  if (!validator.Check(line)) return faultOf(line);
  const fault = faultOfName(line);
  if (fault !== undefined) return fault;
  if (line.disabled !== undefined && line.disabled === line.enabled)
    return 'has "disabled" and "enabled" alike: give one';
  const hash = hashIn(line);
  if (typeof hash === 'string') return hash;
  const identity = identityIn(line);
  if (typeof identity === 'string') return identity;
  const [profile, rank] = [profileIn(line), roleIn(line)];
  if (typeof profile === 'string') return profile;
  if (typeof rank === 'string') return rank;
  const groups = line.groups ?? [];
  const faultOfMembership = faultOfGroups(groups);
  if (faultOfMembership !== undefined) return faultOfMembership;
  const appPasswords = appPasswordsIn(line.appPasswords);
  if (typeof appPasswords === 'string') return appPasswords;
  const name = (line.name ?? line.userName ?? '').normalize('NFC');
  return {
    name,
    key: userKey(name, namesCaseSensitive),
    ...rank,
    profile,
    groups,
    disabled: line.enabled === undefined ? line.disabled : !line.enabled,
    mustChangePassword: line.mustChangePassword,
    identity,
    externalId: line.externalId || undefined,
    hash,
    totpSecret: line.totpSecret || undefined,
    appPasswords,
  };
}
