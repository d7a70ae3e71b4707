/** A user as the store keeps it. `wire.md` calls the record an account; here it is a user everywhere. */
export interface User {
  /** Never given to another user, not even after a removal. */
  readonly id: number;
  /** The spelling it was added with; tickets and events show this one. */
  readonly name: string;
  /** The name as it is compared: see {@link userKey}. */
  readonly key: string;
  readonly administrator: boolean;
  /**
   * An argon2id PHC string, or nothing for a user that was added without a password. One that came with another
   * system's hash has the argon2id of that, followed by the steps to it, until its next login.
   */
  readonly passwordHash: string | undefined;
  readonly disabled: boolean;
  /** Epoch milliseconds until which the user is locked out; 0 when it is not. */
  readonly lockedUntil: number;
  /** Raised by a password change, a revocation, disabling and enabling: tickets of an older generation are dead. */
  readonly generation: number;
}

/** Whose a ticket is, as its look-up brings it: what is asked of a caller, and never the password hash. */
export type Holder = Omit<User, 'key' | 'passwordHash'>;

/** What of a user its tickets show. */
export function holderOf({ id, name, administrator, disabled, lockedUntil, generation }: User): Holder {
  return { id, name, administrator, disabled, lockedUntil, generation };
}

/**
 * The change that disables or enables a user. Disabling ends its tickets for good. Enabling raises the generation too, so
 * that it never revives a ticket that an earlier version had only suspended.
 */
export function withDisabled(
  { generation }: Pick<User, 'generation'>,
  disabled: boolean,
): Pick<User, 'disabled' | 'generation'> {
  return { disabled, generation: generation + 1 };
}

/** The `lockedUntil` of a user locked by hand: the last instant that a date can name. */
export const UNTIL_UNLOCKED = 8_640_000_000_000_000;

/** Whether the user was locked by hand: no failure brought that about, and no success ends it. */
export function isLockedByHand(user: Pick<User, 'lockedUntil'> | undefined): boolean {
  return user?.lockedUntil === UNTIL_UNLOCKED;
}

/**
 * Whether the user is locked out at `now` (epoch milliseconds): by hand, or by failures. A lock-out by failures lasts
 * `longest` at most: one that ends later was set while a clock was ahead, and does not hold.
 */
export function isLocked(user: Pick<User, 'lockedUntil'>, now: number, longest: number): boolean {
  return isLockedByHand(user) || (user.lockedUntil > now && user.lockedUntil - now <= longest);
}

const LONGEST_NAME = 256;

/**
 * The key under which names are compared: NFC, lower case unless `namesCaseSensitive`, NFC again.
 * Made here and never by an engine's collation, so that every engine agrees.
 */
export function userKey(name: string, namesCaseSensitive = false): string {
  // Nobody's, see {@link isPossibleName}. Of marks that are out of order composing takes time that grows by the square.
  if (name.length > 2 * LONGEST_NAME) return name;
  const composed = name.normalize('NFC');
  return namesCaseSensitive ? composed : composed.toLowerCase().normalize('NFC');
}

/** What a new user is made with beside its name. */
export interface NewUser {
  /** Whether names differ by case, as {@link userKey} has it. */
  readonly namesCaseSensitive: boolean;
  readonly passwordHash: string | undefined;
  readonly administrator?: boolean;
  readonly disabled?: boolean;
}

/** A user to be added: its name as NFC and the key that it is found by, neither locked out nor changed yet. */
export function newUser(
  name: string,
  { namesCaseSensitive, passwordHash, administrator = false, disabled = false }: NewUser,
): Omit<User, 'id'> {
  return {
    name: name.normalize('NFC'),
    key: userKey(name, namesCaseSensitive),
    administrator,
    passwordHash,
    disabled,
    lockedUntil: 0,
    generation: 0,
  };
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a name of this shape can be a user's at all; a login with any other is answered like an unknown one. */
export function isPossibleName(name: string): boolean {
  // There are no more characters than UTF-16 units, which need no counting.
  const fits = name.length <= LONGEST_NAME || [...name].length <= LONGEST_NAME;
  return name !== '' && fits && !UNPRINTABLE.test(name);
}

/** Why `name` cannot be given to a new user, with the mend; nothing when it can. */
export function faultOfNewName(name: string): string | undefined {
  if (!isPossibleName(name)) {
    return `a user name has 1 to ${LONGEST_NAME} characters, none of them a control, format, private-use or line-separator character`;
  }
  // Stands where bytes that are no UTF-8 were replaced.
  if (name.includes('\ufffd')) return 'the name is not UTF-8: set the terminal to it, or convert it';
  if (name.includes(':')) return 'a user name holds no colon: Basic authentication splits there';
  if (userKey(name) === 'role_ticket')
    return 'ROLE_TICKET marks a ticket in Basic authentication: choose another name';
  if (name.normalize('NFC').startsWith('TICKET_'))
    return 'a name that begins with TICKET_ would be read as a ticket: choose another name';
  if (name === '-me-') return '-me- stands for the caller: choose another name';
  return undefined;
}

/** A name that is no user's, as events and the log may show it: it could be a password typed into the wrong field. */
export function maskedName(name: string): string {
  const characters = [...name];
  const shown = characters.slice(0, 2).filter((character) => !UNPRINTABLE.test(character));
  return `${shown.join('')}… (${characters.length} characters)`;
}
