import { blockHolds } from './address-block.ts';

/**
 * A password that a user made for one program (specification, section 21). It works wherever the user's own password does, but
 * never on a page. Times are epoch milliseconds.
 */
export interface AppPassword {
  readonly userId: number;
  /** The user has no other one of this name. Compared by code units. */
  readonly name: string;
  /** The SHA-256 of the app password, 32 bytes. The app password itself is not stored. */
  readonly digest: Buffer;
  readonly madeAt: number;
  /** From when on it is refused; undefined if it never ends. */
  readonly expiresAt: number | undefined;
  /** The last use; undefined if it was never used. */
  readonly usedAt: number | undefined;
  /** The blocks of addresses that may use it, as `parseBlock` gives them. Any address may if there are none. */
  readonly addresses: readonly string[];
}

/** Random bytes in an app password: 160 bits. */
export const APP_PASSWORD_BYTES = 20;
/** How many app passwords a user has at most. */
export const MOST_APP_PASSWORDS = 50;
/** How many blocks of addresses an app password has at most. */
export const MOST_ADDRESS_BLOCKS = 20;

const BEGINS = 'tap_';
/** The digits of base32 (RFC 4648 section 6), in lower case. */
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

/** The form of app passwords. */
export const APP_PASSWORD_FORM = /^tap_[a-z2-7]{32}$/;

/** Makes an app password of {@link APP_PASSWORD_BYTES} random bytes: `tap_` and 32 digits of base32. */
export function makeAppPassword(random: Buffer): string {
  const bits = [...random].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{5}/g) ?? [];
  return BEGINS + digits.map((digit) => DIGITS[Number.parseInt(digit, 2)]).join('');
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
const LONGEST_NAME = 64;

/** Why an app password cannot have this name, and what to do; undefined if it can. */
export function faultOfAppPasswordName(name: string): string | undefined {
  const length = [...name].length;
  if (length === 0 || length > LONGEST_NAME || name !== name.trim() || UNPRINTABLE.test(name))
    return `the name of an app password has 1 to ${LONGEST_NAME} characters, no space at its ends, and no control or format character`;
  return name.startsWith(BEGINS)
    ? `a name that begins with ${BEGINS} could be an app password: name the program that uses it`
    : undefined;
}

/** Why an app password is refused, for the events. */
export type AppPasswordFault = 'app password expired' | 'address not allowed for app password';

/** Why the app password is refused at `now` for a client of this address; undefined if it is accepted. */
export function faultOfUse(
  { expiresAt, addresses }: AppPassword,
  now: number,
  address: string,
): AppPasswordFault | undefined {
  if (expiresAt !== undefined && now >= expiresAt) return 'app password expired';
  const allowed = addresses.length === 0 || addresses.some((block) => blockHolds(block, address));
  return allowed ? undefined : 'address not allowed for app password';
}

/** A use is stored if it is at least this many milliseconds later than the stored one. */
const USE_STEP = 60_000;

/** Whether a use of the app password at `now` has to be stored. */
export function appPasswordUseIsDue({ usedAt }: AppPassword, now: number): boolean {
  return usedAt === undefined || now - usedAt >= USE_STEP;
}
