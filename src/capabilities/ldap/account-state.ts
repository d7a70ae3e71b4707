import type { DirectoryEntry } from './entry.ts';

/**
 * The state of an account in the directory. `locked` is a hint, since it may have ended: the bind decides. A person whose
 * account is `disabled` or `expired` is not let in.
 */
export type AccountState = 'active' | 'locked' | 'disabled' | 'expired';

/** Bits of `userAccountControl` and of its computed twin (MS-ADTS 2.2.16). */
const DISABLED = 0x2;
const LOCKED = 0x10;

/** Active Directory counts 100 nanoseconds since 1601. */
const TICKS = 10_000n;
const SINCE_1601 = 11_644_473_600_000n;
/** The values of `accountExpires` for an account that never expires. */
const NEVER = new Set(['0', '9223372036854775807']);

/** The `pwdAccountLockedTime` of an account that only an administrator unlocks (draft-behera-ldap-password-policy). */
const FOR_EVER = '000001010000Z';

/** The attributes that tell the state, of Active Directory, OpenLDAP's password policy and 389 Directory Server. */
export const STATE_ATTRIBUTES = [
  'userAccountControl',
  'msDS-User-Account-Control-Computed',
  'accountExpires',
  'pwdAccountLockedTime',
  'pwdEndTime',
  'nsAccountLock',
] as const;

const bitsOf = (entry: DirectoryEntry, attribute: string) => Number(entry.first(attribute) ?? 0);

function ticksPast(ticks: string | undefined, now: number): boolean {
  if (ticks === undefined || NEVER.has(ticks) || !/^\d{1,19}$/.test(ticks)) return false;
  return BigInt(ticks) / TICKS - SINCE_1601 <= BigInt(Math.trunc(now));
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
  if (ticksPast(entry.first('accountExpires'), now)) return 'expired';
  if (generalizedTime(entry.first('pwdEndTime') ?? '') <= now) return 'expired';
  const locked = (bitsOf(entry, 'msDS-User-Account-Control-Computed') & LOCKED) !== 0;
  return locked || lockedSince !== undefined ? 'locked' : 'active';
}
