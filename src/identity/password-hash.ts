import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import {
  applySteps,
  type ForeignHash,
  type ImportedHash,
  isLongEnough,
  type Step,
} from './foreign/foreign-hash.ts';
import type { HashPool } from './hash-queue.ts';
import type { PasswordVerdict, VerificationRequest, Verifier } from './verifier.ts';

/** The cost of an argon2id hash (RFC 9106): memory in KiB, passes over it, lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** Passwords are hashed as NFC, so that the same password typed on two systems is one. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'));

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

/** Whether the password is the one that was hashed, compared in constant time. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, bytesOf(password));
}

/** The same for a hash that another system made of the password as it was typed, without NFC. */
function verifyAsTyped(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, Buffer.from(password));
}

/** The cost of a PHC string; undefined if it is not argon2id of the version used here. */
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
 * Wraps the hash of another system: the argon2id PHC string of its digest, a space, and the steps to that digest as JSON. So
 * nothing weaker than argon2id is in the database, not even until the user's next login.
 */
async function wrap({ steps, digest }: ForeignHash, cost: HashCost): Promise<string> {
  return `${await hashPassword(digest, cost)} ${JSON.stringify(steps)}`;
}

function unwrap(stored: string): { readonly phc: string; readonly steps: readonly Step[] } | undefined {
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

/** How a hash was made: in the way of this service, or in that of another system. */
type HashedAs = 'here' | 'elsewhere';

async function verifyUnwrapped(phc: string, password: string): Promise<HashedAs | undefined> {
  if (await verifyPassword(phc, password)) return 'here';
  if (password === password.normalize('NFC')) return undefined;
  return (await verifyAsTyped(phc, password)) ? 'elsewhere' : undefined;
}

/** The texts that another system may have hashed: the password as it was typed, and its NFC. */
const spellings = (password: string) => new Set([password, password.normalize('NFC')]);

/**
 * Verifies a password against a stored hash, wrapped or not: how the hash was made if the password is right, otherwise
 * undefined. No password is right for a wrapped digest that is too short to identify one.
 */
export async function verifyStored(stored: string, password: string): Promise<HashedAs | undefined> {
  const wrapped = unwrap(stored);
  if (wrapped === undefined) return verifyUnwrapped(stored, password);
  if (!isLongEnough(wrapped.steps)) {
    // It costs as much as any other refusal, so that its time reveals nothing.
    await verifyPassword(wrapped.phc, password);
    return undefined;
  }
  for (const spelling of spellings(password)) {
    if (await verifyPassword(wrapped.phc, await applySteps(wrapped.steps, spelling))) return 'elsewhere';
  }
  return undefined;
}

const REFUSED: PasswordVerdict = { accepted: false };

/** Whether this hash costs less to check than a hash at the current cost. */
function isCheaper(passwordHash: string, cost: HashCost): boolean {
  const made = costOf(passwordHash);
  return made === undefined || made.memory * made.passes < cost.memory * cost.passes;
}

/** A verifier that needs a moment to start. */
interface LocalVerifier extends Verifier {
  /** Resolves when it is ready; rejects if this machine cannot compute hashes. */
  readonly ready: Promise<unknown>;
}

/** The verifier of the hashes in the store. Every refusal costs at least one hash at the current cost. */
export function localVerifier(pool: HashPool, cost: HashCost): LocalVerifier {
  // No mark combines with the dot at its end, so a password after it has as many spellings as it has alone.
  const secret = `${randomBytes(32).toString('base64')}.`;
  // Started now, so that it is ready for the first unknown name.
  const placeholder = hashPassword(secret, cost);
  placeholder.catch(() => undefined);
  /** How the hash was made, if the password is right; otherwise undefined, after at least one hash at the current cost. */
  const hashedAs = async (stored: string, password: string): Promise<HashedAs | undefined> => {
    const hashed = await verifyStored(stored, password);
    if (hashed === undefined && isCheaper(stored, cost)) await verifyPassword(await placeholder, password);
    return hashed;
  };
  const verdictOn = async (request: VerificationRequest, password: string): Promise<PasswordVerdict> => {
    const stored = request.user?.passwordHash;
    if (stored === undefined || request.user?.disabled || request.barred) {
      // A password that is certainly wrong, so that the work does not depend on whether the real one is right.
      await hashedAs(stored ?? request.standIn?.passwordHash ?? (await placeholder), secret + password);
      return REFUSED;
    }
    const hashed = await hashedAs(stored, password);
    if (hashed === undefined) return REFUSED;
    if (hashed === 'here' && hasCost(stored, cost)) return { accepted: true };
    return { accepted: true, renewedHash: await hashPassword(password, cost) };
  };
  return {
    ready: placeholder,
    verify: (request, password) => pool.run(() => verdictOn(request, password), request, request.giveUpAt),
  };
}
