import { type ForeignHash, type ImportedHash, tellsApart } from './foreign/foreign-hash.ts';
import { type Step, throughSteps } from './foreign/step.ts';
import { type HashCost, hashPassword, verifyAsTyped, verifyPassword } from './password-hash.ts';

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
  if (!tellsApart(wrapped.steps)) {
    // A refusal is to tell nothing by its time: it costs what any other does.
    await verifyPassword(wrapped.phc, password);
    return undefined;
  }
  for (const spelling of spellings(password)) {
    if (await verifyPassword(wrapped.phc, await throughSteps(wrapped.steps, spelling))) return 'elsewhere';
  }
  return undefined;
}
