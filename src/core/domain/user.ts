/** A user in the store. */
export interface User {
  /** Unique for ever: no other user gets it, not even after a removal. */
  readonly id: number;
  /** As it was spelled when the user was added. Tickets and events show it. */
  readonly name: string;
  /** The form in which names are compared: see {@link userKey}. */
  readonly key: string;
  readonly administrator: boolean;
  /**
   * An argon2id PHC string; undefined for a user without a password. For a user imported with another system's hash, the
   * argon2id of that hash and the steps to it, until the next login.
   */
  readonly passwordHash: string | undefined;
  readonly disabled: boolean;
  /** Until when the user is locked out, in epoch milliseconds; 0 if not locked out. */
  readonly lockedUntil: number;
  /** Raised by a password change, a revocation, disabling and enabling. Tickets of an older generation are invalid. */
  readonly generation: number;
  /**
   * Whether the sign-in page asks for a new password before it lets the user in. Logins of programs go on with the old one:
   * they cannot ask for another.
   */
  readonly mustChangePassword: boolean;
  /**
   * The directory (`ldap`) or the identity provider (by its id in the settings) that the user belongs to and that checks its
   * password; undefined for a local user.
   */
  readonly provider: string | undefined;
  /** Whether the user has a second factor: an authenticator app or a passkey. */
  readonly hasSecondFactor: boolean;
  /** When the user was first told that a second factor is required, in epoch milliseconds; 0 if never. */
  readonly secondFactorAskedAt: number;
  /** When the user last logged in, in epoch milliseconds, up to {@link LOGIN_GRAIN} too early; 0 if never. */
  readonly lastLoginAt: number;
}

/** How much later than the last noted login another one has to be to be noted too: one that follows soon costs no write. */
export const LOGIN_GRAIN = 60 * 60_000;

/** The users of a unit, as far as a log-in changes them. */
interface ChangedAtLogin {
  change(id: number, change: Pick<User, 'lastLoginAt'>): Promise<void>;
}

/** Notes that the user logged in, unless that was noted lately. A time in the future was noted while a clock was ahead. */
export async function noteLogin(users: ChangedAtLogin, user: User, now: number): Promise<void> {
  if (Math.abs(now - user.lastLoginAt) >= LOGIN_GRAIN) await users.change(user.id, { lastLoginAt: now });
}

/** Where users of a directory or of identity providers change their passwords: the address of a page, by provider. */
export type PasswordPages = Readonly<Record<string, string>>;

/** Whether any password logs the user in: it has neither a password here nor a provider. */
export function isPasswordless({ passwordHash, provider }: Pick<User, 'passwordHash' | 'provider'>): boolean {
  return passwordHash === undefined && provider === undefined;
}

/** The user of a ticket: what requests need, without the password. */
export type Holder = Pick<User, 'id' | 'name' | 'administrator' | 'disabled' | 'lockedUntil' | 'generation'>;

/** The part of a user that is looked up with a ticket. */
export function holderOf({ id, name, administrator, disabled, lockedUntil, generation }: User): Holder {
  return { id, name, administrator, disabled, lockedUntil, generation };
}

/**
 * The change that disables or enables a user. Disabling ends the user's tickets for good. Enabling raises the generation
 * too, so that a ticket that an older version only suspended does not become valid again.
 */
export function withDisabled(
  { generation }: Pick<User, 'generation'>,
  disabled: boolean,
): Pick<User, 'disabled' | 'generation'> {
  return { disabled, generation: generation + 1 };
}

/** The `lockedUntil` of a user locked by hand: the latest possible date. */
export const UNTIL_UNLOCKED = 8_640_000_000_000_000;

/** Whether an administrator locked the user. Failures do not cause such a lock, and a success does not end it. */
export function isLockedByHand(user: Pick<User, 'lockedUntil'> | undefined): boolean {
  return user?.lockedUntil === UNTIL_UNLOCKED;
}

/**
 * Whether the user is locked out at `now` (epoch milliseconds), by hand or by failures. A lock-out by failures lasts
 * `longest` at most: one that ends later was set while a clock was ahead, and does not count.
 */
export function isLocked(user: Pick<User, 'lockedUntil'>, now: number, longest: number): boolean {
  return isLockedByHand(user) || (user.lockedUntil > now && user.lockedUntil - now <= longest);
}

const LONGEST_NAME = 256;

/**
 * The form in which names are compared: NFC, lower case unless `namesCaseSensitive`, NFC again. It does not depend on the
 * collation of an engine, so all engines agree.
 */
export function userKey(name: string, namesCaseSensitive = false): string {
  // No user has such a name (see isPossibleName). Normalizing many unordered marks takes quadratic time.
  if (name.length > 2 * LONGEST_NAME) return name;
  const composed = name.normalize('NFC');
  return namesCaseSensitive ? composed : composed.toLowerCase().normalize('NFC');
}

/**
 * The form in which names are compared that look alike: compatible characters made one (NFKC), then case folded unless
 * `namesCaseSensitive`. So a full-width letter is the usual one, and `ß` is `ss`. It does not depend on an engine.
 */
export function lookalikeKey(name: string, namesCaseSensitive = false): string {
  if (name.length > 2 * LONGEST_NAME) return name;
  const compatible = name.normalize('NFKC');
  if (namesCaseSensitive) return compatible;
  // JavaScript has no case folding. By way of upper case, letters that differ in lower case alone become one.
  return compatible.toUpperCase().toLowerCase().normalize('NFKC');
}

/** The properties of a new user, without the name. */
interface NewUser {
  /** Whether names differ by case: see {@link userKey}. */
  readonly namesCaseSensitive: boolean;
  readonly passwordHash: string | undefined;
  readonly administrator?: boolean;
  readonly disabled?: boolean;
  readonly mustChangePassword?: boolean;
  readonly provider?: string;
}

/** A user to be added, with the name in NFC, not locked out. */
export function newUser(
  name: string,
  {
    namesCaseSensitive,
    passwordHash,
    administrator = false,
    disabled = false,
    mustChangePassword = false,
    provider,
  }: NewUser,
): Omit<User, 'id'> {
  return {
    name: name.normalize('NFC'),
    key: userKey(name, namesCaseSensitive),
    administrator,
    passwordHash,
    disabled,
    lockedUntil: 0,
    generation: 0,
    mustChangePassword,
    provider,
    hasSecondFactor: false,
    secondFactorAskedAt: 0,
    lastLoginAt: 0,
  };
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a user can have this name. A login with another name is answered like one with an unknown name. */
export function isPossibleName(name: string): boolean {
  // The number of UTF-16 units is known without counting, and no less than that of characters.
  const fits = name.length <= LONGEST_NAME || [...name].length <= LONGEST_NAME;
  return name !== '' && fits && !UNPRINTABLE.test(name);
}

/** White space, and what fonts show as nothing: marks that are ignored by default, and the blank of braille. */
const BLANK_AT_AN_END = /^[\s\p{White_Space}\p{DI}\u2800]|[\s\p{White_Space}\p{DI}\u2800]$/u;

/**
 * Why a new user cannot have this name, and what to do; undefined if it can, unless it looks like another one. Users who have
 * such a name already keep it.
 */
export function faultOfNewName(name: string): string | undefined {
  const fault = faultOfName(name);
  if (fault !== undefined) return fault;
  if (BLANK_AT_AN_END.test(name)) return 'the name begins or ends with a blank: take it off';
  if (name === '.' || name === '..')
    return 'no page can show a user who is called . or ..: choose another name';
  return undefined;
}

/** Why no user can have this name, also none that was added before, and what to do; undefined if one can. */
export function faultOfName(name: string): string | undefined {
  if (!isPossibleName(name)) {
    return `a user name has 1 to ${LONGEST_NAME} characters, none of them a control, format, private-use or line-separator character`;
  }
  // This character replaces bytes that are not UTF-8.
  if (name.includes('\ufffd')) return 'the name is not UTF-8: set the terminal to it, or convert it';
  if (name.includes(':')) return 'a user name holds no colon: Basic (RFC 7617) splits there';
  if (userKey(name) === 'role_ticket')
    return 'ROLE_TICKET marks a ticket in Basic authentication: choose another name';
  if (name.normalize('NFC').startsWith('TICKET_'))
    return 'a name that begins with TICKET_ would be read as a ticket: choose another name';
  if (name === '-me-') return '-me- stands for the caller: choose another name';
  return undefined;
}

/** Masks a name that is no user's for events and the log: it may be a password that was typed into the wrong field. */
export function maskedName(name: string): string {
  const characters = [...name];
  const start = characters.slice(0, 2).filter((character) => !UNPRINTABLE.test(character));
  return `${start.join('')}… (${characters.length} characters)`;
}

/** Whether a name in an event has the form of a masked one. The name of a user may have it, too. */
export const isMaskedName = (name: string): boolean => /… \(\d+ characters\)$/.test(name);
