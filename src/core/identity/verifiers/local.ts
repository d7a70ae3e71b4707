import { randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import type { User } from '../../domain/user.ts';
import type { HashPool } from '../hash-queue.ts';
import { applySteps, isLongEnough } from '../hash-steps.ts';
import { costOf, type HashCost, hasCost, hashPassword, unwrap, verifyPassword } from '../password-hash.ts';
import type { PasswordVerdict, VerificationRequest, Verifier } from './verifier.ts';

/** As `verifyPassword`, for a hash that another system made of the password as it was typed, without NFC. */
function verifyAsTyped(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, Buffer.from(password));
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
const PASSED: PasswordVerdict = { accepted: false, passed: true };

/** Whether this hash costs less to check than a hash at the current cost. */
function isCheaper(passwordHash: string, cost: HashCost): boolean {
  const hashCost = costOf(passwordHash);
  return hashCost === undefined || hashCost.memory * hashCost.passes < cost.memory * cost.passes;
}

/** A verifier that needs a moment to start. */
export interface LocalVerifier extends Verifier {
  /** Resolves when it is ready; rejects if this machine cannot compute hashes. */
  readonly ready: Promise<unknown>;
}

/**
 * The verifier of the hashes in the store. Every refusal costs at least one hash at the current cost. `passesOn` names the
 * users whose wrong passwords the next verifier is asked about, too.
 */
export function localVerifier(
  pool: HashPool,
  cost: HashCost,
  passesOn: (user: User) => boolean = () => false,
): LocalVerifier {
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
  /** Refuses with as much work as any refusal: it checks a password that is wrong for every hash. */
  const refuse = async (stored: string | undefined, password: string): Promise<PasswordVerdict> => {
    await hashedAs(stored ?? (await placeholder), secret + password);
    return REFUSED;
  };
  const verdictOn = async (request: VerificationRequest, standIn: User | undefined, password: string) => {
    const { user, barred } = request;
    const stored = user?.passwordHash;
    if (stored === undefined || user?.disabled || barred)
      return refuse(stored ?? standIn?.passwordHash, password);
    const hashed = await hashedAs(stored, password);
    if (hashed === undefined) return REFUSED;
    if (hashed === 'here' && hasCost(stored, cost)) return { accepted: true } as const;
    return { accepted: true, renewedHash: await hashPassword(password, cost) } as const;
  };
  const inTurn = async (request: VerificationRequest, password: string): Promise<PasswordVerdict> => {
    const standIn = await request.standIn();
    return pool.run(() => verdictOn(request, standIn, password), request, request.giveUpAt);
  };
  return {
    name: 'local',
    ready: placeholder,
    partIn: ({ user }) => (user?.provider === undefined ? 'decides' : 'imitates'),
    async verify(request, password) {
      const verdict = await inTurn(request, password);
      const isPassed = request.user === undefined || (!verdict.accepted && passesOn(request.user));
      return isPassed ? PASSED : verdict;
    },
    async imitate(request, password) {
      await inTurn({ ...request, user: undefined }, password);
    },
  };
}
