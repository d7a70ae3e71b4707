import { isRefusal, type Refusal, refuse } from '../../../core/domain/refusal.ts';
import { type User, userKey } from '../../../core/domain/user.ts';
import type { UserFilter } from '../../../core/storage/people.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { ownersOfExternalId } from '../../people/rules/external-ids.ts';
import type { Attributes } from '../attributes.ts';
import { mentions, type ScimFilter } from '../filter.ts';
import { matches } from '../matches.ts';
import { type UserRecord, userRecords, userResource } from './record.ts';

/** The user with this `id`. */
export async function findUserById(
  { users }: Pick<ReadUnit, 'users'>,
  text: string,
): Promise<User | Refusal<'user_not_found'>> {
  const user = /^[1-9]\d{0,14}$/.test(text) ? await users.find(Number(text)) : undefined;
  return user ?? refuse('user_not_found', { detail: `with the id ${text.slice(0, 64)}` });
}

/** The reads that a look-up of users needs. */
export interface UserLookUp {
  readonly unit: ReadUnit;
  keyOf(name: string): string;
  readonly provider: string | undefined;
}

/** The users with this `externalId`. */
export async function findByExternalId(
  { unit, provider }: Pick<UserLookUp, 'unit' | 'provider'>,
  externalId: string,
): Promise<readonly User[]> {
  const found: User[] = [];
  for (const id of await ownersOfExternalId(unit, 'user', externalId, provider)) {
    const user = await unit.users.find(id);
    if (user !== undefined) found.push(user);
  }
  return found;
}

/** How many users a filter may look through that no index answers. */
const MOST = 10_000;
/** Users whose resources are made at a time. */
const AT_ONCE = 500;

const TOO_WIDE = refuse('filter_too_wide', {
  detail: `narrow it by userName, externalId or an e-mail with eq, so that at most ${MOST} users are left`,
});

type Candidates = ReadonlyMap<number, User>;

const candidates = (...users: readonly (User | undefined)[]): Candidates =>
  new Map(users.flatMap((user) => (user === undefined ? [] : [[user.id, user] as const])));

/** Attributes in which the store searches for a part of at least three characters. */
const SEARCHED = [
  'username',
  'displayname',
  'name.formatted',
  'name.givenname',
  'name.familyname',
  'emails',
  'emails.value',
];
const SHORTEST = 3;

async function searched({ unit }: UserLookUp, filter: UserFilter): Promise<Candidates> {
  return candidates(...(await unit.users.search(filter, undefined, MOST + 1)));
}

/** The users among whom are all that pass this comparison, by an index; undefined if no index has them. */
async function byComparison(
  lookUp: UserLookUp,
  { path, operator, value }: Extract<ScimFilter, { is: 'compared' }>,
): Promise<Candidates | undefined> {
  const { unit, keyOf } = lookUp;
  const name = path.join('.').toLowerCase();
  const text = String(value);
  if (operator === 'eq' && name === 'id') {
    const user = await findUserById(unit, text);
    return candidates(isRefusal(user) ? undefined : user);
  }
  if (operator === 'eq' && name === 'externalid')
    return candidates(...(await findByExternalId(lookUp, text)));
  if (operator === 'eq' && name === 'username') return candidates(await unit.users.findByKey(keyOf(text)));
  if (operator === 'sw' && name === 'username') return searched(lookUp, { prefix: keyOf(text) });
  if (operator === 'eq' && name === 'active' && text.toLowerCase() === 'false')
    return searched(lookUp, { disabled: true });
  const isPart = ['eq', 'co', 'sw', 'ew'].includes(operator) && [...userKey(text)].length >= SHORTEST;
  return isPart && SEARCHED.includes(name) ? searched(lookUp, { part: text }) : undefined;
}

/** The users among whom are all that pass the filter; undefined if no index tells. */
async function candidatesFor(
  lookUp: UserLookUp,
  filter: ScimFilter,
  within: readonly string[] = [],
): Promise<Candidates | undefined> {
  switch (filter.is) {
    case 'compared':
      return byComparison(lookUp, { ...filter, path: [...within, ...filter.path] });
    case 'within':
      return candidatesFor(lookUp, filter.part, filter.path);
    case 'and':
      for (const part of filter.parts) {
        const found = await candidatesFor(lookUp, part, within);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'or': {
      const all = new Map<number, User>();
      for (const part of filter.parts) {
        const found = await candidatesFor(lookUp, part, within);
        if (found === undefined) return undefined;
        for (const [id, user] of found) all.set(id, user);
      }
      return all;
    }
    default:
      return undefined;
  }
}

async function everyone({ users }: ReadUnit): Promise<readonly User[] | typeof TOO_WIDE> {
  return (await users.count()) > MOST ? TOO_WIDE : users.pageByNumber(0, MOST);
}

/**
 * The users that pass the filter, by ascending ids. Indexes answer equality of id, userName, externalId and e-mail, the beginning
 * of a userName, and parts of names and addresses of three characters; any other filter looks through all users, if they
 * are not too many.
 */
export async function usersPassing(
  lookUp: UserLookUp,
  filter: ScimFilter,
): Promise<readonly UserRecord[] | Refusal<'filter_too_wide'>> {
  const { unit, provider } = lookUp;
  const found = await candidatesFor(lookUp, filter);
  if (found !== undefined && found.size > MOST) return TOO_WIDE;
  const users = found === undefined ? await everyone(unit) : [...found.values()];
  if (isRefusal(users)) return users;
  const sorted = users.toSorted((one, other) => one.id - other.id);
  const passing: UserRecord[] = [];
  for (let at = 0; at < sorted.length; at += AT_ONCE) {
    const part = sorted.slice(at, at + AT_ONCE);
    const records = await userRecords(unit, part, provider, mentions(filter, 'groups'));
    passing.push(...records.filter((record) => matches(filter, resourceOf(record))));
  }
  return passing;
}

/** Filters know no address. */
const resourceOf = (record: UserRecord): Attributes => userResource(record, '');
