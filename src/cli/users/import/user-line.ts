import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { faultOfNewName, userKey } from '../../../domain/user.ts';
import { HashUnreadable, type ImportedHash } from '../../../identity/foreign/foreign-hash.ts';
import { readHash } from '../../../identity/foreign/read.ts';
import { Type } from '../../../schema.ts';

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
  },
  { additionalProperties: false },
);

const validator = Compile(UserLine);
const MEMBERS = UserLine.properties as Readonly<
  Record<string, { readonly type?: string; readonly description?: string }>
>;

/** The members of a line, which are also the columns of a CSV file. */
export const MEMBER_NAMES = Object.keys(MEMBERS);

/** Whether a member is true or false. */
export const isAnswer = (member: string): boolean => MEMBERS[member]?.type === 'boolean';

/** The user that a line describes. */
export interface UserInLine {
  readonly name: string;
  readonly key: string;
  readonly administrator: boolean;
  /** Undefined if the line does not say. */
  readonly disabled: boolean | undefined;
  /** Undefined if the line has no hash. */
  readonly hash: ImportedHash | undefined;
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
  const unknown = Object.keys(value).find((member) => !Object.hasOwn(MEMBERS, member));
  if (unknown !== undefined) return faultOfMember(unknown);
  const [, [fault]] = validator.Errors(value);
  const member = fault?.instancePath.split('/')[1] ?? '';
  return `"${member}" is not of the form: ${MEMBERS[member]?.description ?? fault?.message}`;
}

/** Why a line with this name is refused. Some names that `users add` accepts are faults of a file. */
export function faultOfImportedName(given: string): string | undefined {
  if (given !== given.trim())
    return 'has a name that begins or ends with white space: take it off (is the column padded?)';
  if (/^\$[\w-]+\$/.test(given)) return 'has a hash for a name: are the columns in their order?';
  const fault = faultOfNewName(given);
  return fault && `has a name that cannot be a user's: ${fault}`;
}

function faultOfName({ name, userName }: Static<typeof UserLine>): string | undefined {
  if (name !== undefined && userName !== undefined) return 'has "name" and "userName": give one';
  const given = name ?? userName ?? '';
  return given === '' ? 'has no "name" (or "userName")' : faultOfImportedName(given);
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

/** Treats a null member as not given, and a text in place of a list as a list with commas. */
function normalized(member: string, value: unknown): unknown {
  if (value === null) return undefined;
  if (member !== 'hashIndicator' || typeof value !== 'string') return value;
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The user in a line that was parsed to an object, or what is wrong with the line. */
export function userInLine(given: unknown, namesCaseSensitive: boolean): UserInLine | string {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return faultOf(given);
  const members = Object.entries(given).map(
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
  const name = (line.name ?? line.userName ?? '').normalize('NFC');
  return {
    name,
    key: userKey(name, namesCaseSensitive),
    administrator: line.administrator === true,
    disabled: line.enabled === undefined ? line.disabled : !line.enabled,
    hash,
  };
}
