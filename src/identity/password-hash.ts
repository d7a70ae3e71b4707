import { hash, verify } from '@node-rs/argon2';

/** The cost of an argon2id hash (RFC 9106): memory in KiB, passes over it, lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** Passwords are hashed as NFC, so that the same password typed on two systems is one. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'));

/** The longest password in bytes, as NFC in UTF-8. */
const LONGEST_PASSWORD = 1_024;

/**
 * Whether the password is longer than anyone's by far, told without composing it: NFC leaves two bytes for each three
 * characters at least, and of marks that are out of order it takes time that grows by the square.
 */
export const isFarTooLong = (password: string): boolean => password.length > 1.5 * LONGEST_PASSWORD;

/** Whether the password is longer than anyone's can be. */
export function isTooLong(password: string): boolean {
  return isFarTooLong(password) || bytesOf(password).length > LONGEST_PASSWORD;
}

/** The argon2id PHC string of a password. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
  // The package's default algorithm is argon2id; its enum cannot be imported under erasable syntax.
  return hash(bytesOf(password), { memoryCost: cost.memory, timeCost: cost.passes, parallelism: cost.lanes });
}

/** Whether the password is the one that was hashed, compared in constant time. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, bytesOf(password));
}

/** Whether the password is the one that another system hashed as it was typed, not composed. */
export function verifyAsTyped(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, Buffer.from(password));
}

/** The cost that a PHC string was made with; nothing when it is no argon2id of the version used here. */
export function costOf(passwordHash: string): HashCost | undefined {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(passwordHash);
  if (parts === null) return undefined;
  return { memory: Number(parts[1]), passes: Number(parts[2]), lanes: Number(parts[3]) };
}

/** Whether a hash was made with exactly this cost. */
export function hasCost(passwordHash: string, cost: HashCost): boolean {
  const made = costOf(passwordHash);
  return made?.memory === cost.memory && made.passes === cost.passes && made.lanes === cost.lanes;
}
