import { PROFILE_FIELDS, type Profile } from '../../core/domain/profile.ts';
import type { DirectoryEntry } from './entry.ts';
import type { AttributeMap } from './options.ts';
import { askedAs, subjectOf } from './subject.ts';

/**
 * The state of an account in the directory. `locked` is a hint, since it may have ended: the bind decides. A person whose
 * account is `disabled` or `expired` is not let in.
 */
type AccountState = 'active' | 'locked' | 'disabled' | 'expired';

/** Bits of `userAccountControl` and of its computed twin (MS-ADTS 2.2.16). */
const DISABLED = 0x2;
const LOCKED = 0x10;

/** Active Directory counts 100 nanoseconds since 1601. */
const TICKS = 10_000n;
const SINCE_1601 = 11_644_473_600_000n;
/** The values of `accountExpires` for an account that never expires, and of the end of a password that has none. */
const NEVER = new Set(['0', '9223372036854775807']);

/** The `pwdAccountLockedTime` of an account that only an administrator unlocks (draft-behera-ldap-password-policy). */
const FOR_EVER = '000001010000Z';

/** When the password ends in Active Directory, which computes it for each reader. */
const PASSWORD_END = 'msDS-UserPasswordExpiryTimeComputed';

/** The attributes that tell the state, of Active Directory, OpenLDAP's password policy and 389 Directory Server. */
const STATE_ATTRIBUTES = [
  'userAccountControl',
  'msDS-User-Account-Control-Computed',
  'accountExpires',
  'pwdAccountLockedTime',
  'pwdEndTime',
  'nsAccountLock',
  PASSWORD_END,
] as const;

const bitsOf = (entry: DirectoryEntry, attribute: string) => Number(entry.first(attribute) ?? 0);

/** Epoch milliseconds of a time of Active Directory; infinite for one that never comes, or that is none. */
function fileTime(ticks = ''): number {
  if (NEVER.has(ticks) || !/^\d{1,19}$/.test(ticks)) return Number.POSITIVE_INFINITY;
  return Number(BigInt(ticks) / TICKS - SINCE_1601);
}

/** Epoch milliseconds of a GeneralizedTime in UTC, such as `20260203040500Z`. */
function generalizedTime(text: string): number {
  const [, date, time] = /^(\d{8})(\d{6})(?:[.,]\d+)?Z$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return Number.NaN;
  const day = date.replace(/(....)(..)(..)/, '$1-$2-$3');
  return Date.parse(`${day}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`);
}

/** The state of the account of this entry at `now`, in epoch milliseconds. */
export function stateOf(entry: DirectoryEntry, now: number): AccountState {
  const lockedSince = entry.first('pwdAccountLockedTime');
  if ((bitsOf(entry, 'userAccountControl') & DISABLED) !== 0) return 'disabled';
  if (lockedSince === FOR_EVER) return 'disabled';
  if (entry.first('nsAccountLock')?.toLowerCase() === 'true') return 'disabled';
  if (fileTime(entry.first('accountExpires')) <= now) return 'expired';
  if (generalizedTime(entry.first('pwdEndTime') ?? '') <= now) return 'expired';
  const locked = (bitsOf(entry, 'msDS-User-Account-Control-Computed') & LOCKED) !== 0;
  return locked || lockedSince !== undefined ? 'locked' : 'active';
}

/** A person as the directory has it. */
export interface DirectoryPerson {
  readonly dn: string;
  /** The identifier of the person that never changes. */
  readonly subject: string;
  readonly name: string;
  readonly state: AccountState;
  /** When the password ends, in epoch milliseconds; infinite if the entry does not tell. */
  readonly passwordEnd: number;
  /** Each field that the settings map. It is an empty text if the entry has no value. */
  readonly profile: Profile;
}

/** For how many milliseconds before its end a password has a warning, unless the directory itself warns of it. */
const WARNED_FOR = 14 * 86_400_000;

/** When the password of a person ends, if that is soon, after a bind that was accepted at `now`. */
export function endSoon(endsIn: number | undefined, { passwordEnd }: DirectoryPerson, now: number) {
  const end = endsIn === undefined ? passwordEnd : now + endsIn * 1_000;
  return endsIn === undefined && end > now + WARNED_FOR ? undefined : new Date(end).toISOString();
}

/** The attributes to ask for. */
export function personAttributes(attributes: AttributeMap): string[] {
  const fields = PROFILE_FIELDS.map((field) => attributes[field]).filter((name) => name !== undefined);
  const names = [attributes.name, attributes.subject, ...fields, ...STATE_ATTRIBUTES].map(askedAs);
  return [...new Set(names)];
}

/** One of several names: the one in the DN of the entry, else the first in the alphabet, since servers give them in any order. */
function nameOf(entry: DirectoryEntry, attribute: string): string | undefined {
  const names = entry
    .all(attribute)
    .filter((name) => name !== '')
    .toSorted();
  const dn = entry.dn.toLowerCase();
  return names.find((name) => dn.startsWith(`${attribute}=${name},`.toLowerCase())) ?? names[0];
}

/** The person of an entry at `now`, in epoch milliseconds. Undefined if the entry has no name or nothing that identifies it. */
export function personOf(
  entry: DirectoryEntry,
  attributes: AttributeMap,
  now: number,
): DirectoryPerson | undefined {
  const subject = subjectOf(entry, attributes.subject);
  const name = nameOf(entry, attributes.name);
  if (subject === undefined || name === undefined) return undefined;
  const profile = PROFILE_FIELDS.flatMap((field) => {
    const attribute = attributes[field];
    return attribute === undefined ? [] : [[field, entry.first(attribute) ?? ''] as const];
  });
  const passwordEnd = fileTime(entry.first(PASSWORD_END));
  const state = stateOf(entry, now);
  return { dn: entry.dn, subject, name, state, passwordEnd, profile: Object.fromEntries(profile) };
}
