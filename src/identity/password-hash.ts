import { hash, verify } from '@node-rs/argon2';
import {
  applySteps,
  type ForeignHash,
  type ImportedHash,
  isLongEnough,
  type Step,
} from './foreign/foreign-hash.ts';

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

/**
 * A wrapped hash is the argon2id PHC string of another system's digest, a space, and the steps to that digest as JSON.
 * So that nothing weaker than argon2id lies in the database, not even until the user's next login.
 */
async function wrap({ steps, digest }: ForeignHash, cost: HashCost): Promise<string> {
  return `${await hashPassword(digest, cost)} ${JSON.stringify(steps)}`;
}

function unwrap(stored: string): { readonly phc: string; readonly steps: readonly Step[] } | undefined {
  const space = stored.indexOf(' ');
  if (space < 0) return undefined;
  return { phc: stored.slice(0, space), steps: JSON.parse(stored.slice(space + 1)) };
}

/** An imported hash as it is stored: argon2id as it came, any other wrapped at `cost`. */
export async function storedFrom(imported: ImportedHash, cost: HashCost): Promise<string> {
  return 'argon2id' in imported ? imported.argon2id : wrap(imported, cost);
}

/** Whether this very hash was imported before, and is stored still. */
export async function isStoredFrom(imported: ImportedHash, stored: string): Promise<boolean> {
  if ('argon2id' in imported) return imported.argon2id === stored;
  const wrapped = unwrap(stored);
  if (wrapped === undefined || JSON.stringify(wrapped.steps) !== JSON.stringify(imported.steps)) return false;
  return verifyPassword(wrapped.phc, imported.digest);
}

/** How a hash was made that a password is right for: as passwords are hashed here, or in another system's way. */
export type HashedAs = 'here' | 'elsewhere';

async function verifyUnwrapped(phc: string, password: string): Promise<HashedAs | undefined> {
  if (await verifyPassword(phc, password)) return 'here';
  if (password === password.normalize('NFC')) return undefined;
  return (await verifyAsTyped(phc, password)) ? 'elsewhere' : undefined;
}

/** What may have been hashed elsewhere, where a password was taken as it was typed, or composed. */
const spellings = (password: string) => new Set([password, password.normalize('NFC')]);

/**
 * How a stored hash was made, wrapped or not, if the password is the one behind it; nothing otherwise. A wrapped digest
 * too short for one password lets nobody in.
 */
export async function verifyStored(stored: string, password: string): Promise<HashedAs | undefined> {
  const wrapped = unwrap(stored);
  if (wrapped === undefined) return verifyUnwrapped(stored, password);
  if (!isLongEnough(wrapped.steps)) {
    // A refusal is to tell nothing by its time: it costs what any other does.
    await verifyPassword(wrapped.phc, password);
    return undefined;
  }
  for (const spelling of spellings(password)) {
    if (await verifyPassword(wrapped.phc, await applySteps(wrapped.steps, spelling))) return 'elsewhere';
  }
  return undefined;
}
