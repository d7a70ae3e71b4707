import type { Static } from 'typebox';
import { parseBlock } from '../../../core/domain/address-block.ts';
import {
  type AppPassword,
  faultOfAppPasswordName,
  MOST_ADDRESS_BLOCKS,
  MOST_APP_PASSWORDS,
} from '../../../core/domain/app-password.ts';
import type { User } from '../../../core/domain/user.ts';
import { Type } from '../../../core/schema.ts';
import type { AppPasswordsRead } from '../../factors/tables/app-passwords.ts';

const AppPasswordMember = Type.Object(
  {
    name: Type.String(),
    digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    madeAt: Type.String(),
    expiresAt: Type.Optional(Type.String()),
    addresses: Type.Optional(Type.Array(Type.String(), { maxItems: MOST_ADDRESS_BLOCKS })),
  },
  { additionalProperties: false },
);

/** The member of a user's line with its app passwords. */
export const APP_PASSWORDS = Type.Array(AppPasswordMember, {
  maxItems: MOST_APP_PASSWORDS,
  description: "a list as 'tessera users export' writes it: it cannot stand in a CSV file",
});

/** An app password that a line gives its user. */
export type AppPasswordInLine = Omit<AppPassword, 'userId'>;

/** Epoch milliseconds of an ISO 8601 time in UTC, as exports write them; undefined if it is none. */
function timeIn(text: string): number | undefined {
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString() === text ? at : undefined;
}

function appPasswordIn(member: Static<typeof AppPasswordMember>): AppPasswordInLine | string {
  const { name, digest, addresses = [], ...times } = member;
  const fault = faultOfAppPasswordName(name);
  if (fault !== undefined) return `has an app password that is not possible: ${fault}`;
  const madeAt = timeIn(times.madeAt);
  const expiresAt = times.expiresAt === undefined ? undefined : timeIn(times.expiresAt);
  if (madeAt === undefined || (times.expiresAt !== undefined && expiresAt === undefined))
    return `has the app password "${name}" with an invalid time: write one such as 2030-01-31T12:00:00.000Z`;
  const blocks = addresses.map(parseBlock);
  const wrong = blocks.indexOf(undefined);
  if (wrong !== -1)
    return `has the app password "${name}" with "${addresses[wrong]}", which is neither an address nor a block in CIDR notation`;
  return {
    name,
    digest: Buffer.from(digest, 'hex'),
    madeAt,
    expiresAt,
    usedAt: undefined,
    addresses: blocks as string[],
  };
}

/** The app passwords in a line; a text says what is wrong with one. */
export function appPasswordsIn(
  members: Static<typeof APP_PASSWORDS> = [],
): readonly AppPasswordInLine[] | string {
  const found: AppPasswordInLine[] = [];
  for (const member of members) {
    const read = appPasswordIn(member);
    if (typeof read === 'string') return read;
    if (found.some(({ name, digest }) => name === read.name || digest.equals(read.digest)))
      return `has the app password "${read.name}" twice`;
    found.push(read);
  }
  return found;
}

/**
 * The app passwords of a line that the user lacks and that have not expired at `now`. A text says why the user
 * cannot have one.
 */
export async function missingAppPasswords(
  { appPasswords }: { readonly appPasswords: Pick<AppPasswordsRead, 'ofUser' | 'findByDigest'> },
  user: Pick<User, 'id'> | undefined,
  desired: readonly AppPasswordInLine[],
  now: number,
): Promise<readonly AppPasswordInLine[] | string> {
  const lasting = desired.filter(({ expiresAt }) => expiresAt === undefined || now < expiresAt);
  if (lasting.length === 0) return [];
  const own = user === undefined ? [] : await appPasswords.ofUser(user.id);
  const missing: AppPasswordInLine[] = [];
  for (const each of lasting) {
    const existing = own.find(({ name }) => name === each.name);
    if (existing?.digest.equals(each.digest)) continue;
    if (existing !== undefined)
      return `gives an existing user another app password "${each.name}": remove that one first with 'tessera users app-passwords remove'`;
    if ((await appPasswords.findByDigest(each.digest)) !== undefined)
      return `has the app password "${each.name}", which is known under another name or of another user: leave it out`;
    missing.push(each);
  }
  if (own.length + missing.length <= MOST_APP_PASSWORDS) return missing;
  return `gives an existing user more than ${MOST_APP_PASSWORDS} app passwords: remove some first with 'tessera users app-passwords remove'`;
}
