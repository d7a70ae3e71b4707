import { hash, verify } from '@node-rs/argon2';
import type { ForeignHash, ImportedHash, Step } from './hash-steps.ts';

/** The cost of an argon2id hash (RFC 9106): memory in KiB, passes over it, lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** Passwords are hashed as NFC, so that the same password typed on two systems is one. */
export const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'));

/** The most bytes of a password, as NFC in UTF-8. */
const LONGEST_PASSWORD = 1_024;

/**
 * Whether the password is certainly too long, found without normalizing it: NFC keeps at least two bytes for each three
 * characters, and normalizing many unordered marks takes time that grows with the square of their number.
 */
export const isFarTooLong = (password: string): boolean => password.length > 1.5 * LONGEST_PASSWORD;

/** Whether the password is longer than allowed. */
export function isTooLong(password: string): boolean {
  return isFarTooLong(password) || bytesOf(password).length > LONGEST_PASSWORD;
}

/** Hashes a password: its argon2id PHC string. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
  // The package's default algorithm is argon2id; its enum cannot be imported under erasable syntax.
  return hash(bytesOf(password), { memoryCost: cost.memory, timeCost: cost.passes, parallelism: cost.lanes });
}

/**
 * A PHC string that no known password has: its digest is random. A user with it has no password yet, and a try takes as long as
 * with any other user. `random` has 48 bytes.
 */
export function hashOfNoPassword({ memory, passes, lanes }: HashCost, random: Buffer): string {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const [salt, digest] = [base64(random.subarray(0, 16)), base64(random.subarray(16))];
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${salt}$${digest}`;
}

/** Whether the password is the one that was hashed, compared in constant time. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, bytesOf(password));
}

/** The cost of a PHC string; undefined if it is not argon2id of the version used here. */
export function costOf(passwordHash: string): HashCost | undefined {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(passwordHash);
  if (parts === null) return undefined;
  return { memory: Number(parts[1]), passes: Number(parts[2]), lanes: Number(parts[3]) };
}

/** Whether a hash was made with exactly this cost. */
export function hasCost(passwordHash: string, cost: HashCost): boolean {
  const costThere = costOf(passwordHash);
  return (
    costThere?.memory === cost.memory && costThere.passes === cost.passes && costThere.lanes === cost.lanes
  );
}

/**
 * Wraps the hash of another system: the argon2id PHC string of its digest, a space, and the steps to that digest as JSON. So
 * nothing weaker than argon2id is in the database, not even until the user's next login.
 */
async function wrap({ steps, digest }: ForeignHash, cost: HashCost): Promise<string> {
  return `${await hashPassword(digest, cost)} ${JSON.stringify(steps)}`;
}

/** The parts of the stored form of another system's hash; undefined for a plain PHC string. */
export function unwrap(
  stored: string,
): { readonly phc: string; readonly steps: readonly Step[] } | undefined {
  const space = stored.indexOf(' ');
  if (space < 0) return undefined;
  return { phc: stored.slice(0, space), steps: JSON.parse(stored.slice(space + 1)) };
}

/** The stored form of an imported hash: argon2id unchanged, all others wrapped at `cost`. */
export async function storedFrom(imported: ImportedHash, cost: HashCost): Promise<string> {
  return 'argon2id' in imported ? imported.argon2id : wrap(imported, cost);
}

/** Whether `stored` was made from this imported hash. */
export async function isStoredFrom(imported: ImportedHash, stored: string): Promise<boolean> {
  if ('argon2id' in imported) return imported.argon2id === stored;
  const wrapped = unwrap(stored);
  if (wrapped === undefined || JSON.stringify(wrapped.steps) !== JSON.stringify(imported.steps)) return false;
  return verifyPassword(wrapped.phc, imported.digest);
}
