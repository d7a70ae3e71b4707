import { randomBytes } from 'node:crypto';
import type { HashPool } from './hash-pool.ts';
import { costOf, type HashCost, hasCost, hashPassword, verifyPassword } from './password-hash.ts';
import type { PasswordQuestion, PasswordVerdict, Verifier } from './verifier.ts';
import { type HashedAs, verifyStored } from './wrapped-hash.ts';

const REFUSED: PasswordVerdict = { accepted: false };

/** Whether a check of this hash is less work than one at today's cost. */
function isCheaper(passwordHash: string, cost: HashCost): boolean {
  const made = costOf(passwordHash);
  return made === undefined || made.memory * made.passes < cost.memory * cost.passes;
}

/** A verifier, and when it has made what it needs. */
export interface LocalVerifier extends Verifier {
  /** Rejects when no hash can be made here. */
  readonly ready: Promise<unknown>;
}

/** The verifier over the hashes in the store. Every refusal costs at least one hash at today's cost. */
export function localVerifier(pool: HashPool, cost: HashCost): LocalVerifier {
  // No mark composes with the dot at its end: a password behind it takes as many spellings as it does alone.
  const secret = `${randomBytes(32).toString('base64')}.`;
  // Begun now, so that it is there when the first unknown name comes.
  const nobodys = hashPassword(secret, cost);
  nobodys.catch(() => undefined);
  /** How it was hashed if it is right; nothing otherwise, after at least the work of one hash at today's cost. */
  const verified = async (stored: string, password: string): Promise<HashedAs | undefined> => {
    const hashed = await verifyStored(stored, password);
    if (hashed === undefined && isCheaper(stored, cost)) await verifyPassword(await nobodys, password);
    return hashed;
  };
  const judged = async (asked: PasswordQuestion, password: string): Promise<PasswordVerdict> => {
    const stored = asked.user?.passwordHash;
    if (stored === undefined || asked.user?.disabled || asked.barred) {
      // Made wrong for certain: the work must not tell that it would be right.
      await verified(stored ?? asked.standIn?.passwordHash ?? (await nobodys), secret + password);
      return REFUSED;
    }
    const hashed = await verified(stored, password);
    if (hashed === undefined) return REFUSED;
    if (hashed === 'here' && hasCost(stored, cost)) return { accepted: true };
    return { accepted: true, renewedHash: await hashPassword(password, cost) };
  };
  return {
    ready: nobodys,
    vouch: (asked, password) => pool.run(() => judged(asked, password), asked, asked.giveUpAt),
  };
}
