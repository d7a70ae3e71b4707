import { randomBytes } from 'node:crypto';
import type { HashPool } from './hash-pool.ts';
import { costOf, type HashCost, hasCost, hashPassword, verifyPassword } from './password-hash.ts';
import type { Verifier } from './verifier.ts';

const REFUSED = { accepted: false };

/** Whether a check of this hash is less work than one at today's cost. */
function isCheaper(passwordHash: string, cost: HashCost): boolean {
  const made = costOf(passwordHash);
  return made === undefined || made.memory * made.passes < cost.memory * cost.passes;
}

/** The verifier over the hashes in the store. Every refusal costs at least one hash at today's cost. */
export async function localVerifier(pool: HashPool, cost: HashCost): Promise<Verifier> {
  const nobodys = await hashPassword(randomBytes(32).toString('base64'), cost);
  const refuseAfterWork = async (password: string) => {
    await verifyPassword(nobodys, password);
    return REFUSED;
  };
  return {
    vouch: (user, password) =>
      pool.run(async () => {
        if (user?.passwordHash === undefined || user.disabled) return refuseAfterWork(password);
        if (!(await verifyPassword(user.passwordHash, password))) {
          return isCheaper(user.passwordHash, cost) ? refuseAfterWork(password) : REFUSED;
        }
        if (hasCost(user.passwordHash, cost)) return { accepted: true };
        return { accepted: true, renewedHash: await hashPassword(password, cost) };
      }),
  };
}
