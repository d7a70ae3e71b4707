import { availableParallelism } from 'node:os';
import { hashPoolFor } from '../../identity/hash-queue.ts';
import { type HashCost, hashPassword, verifyPassword } from '../../identity/password-hash.ts';

/** What this machine gives at one cost of a password hash. */
export interface HashFinding {
  readonly cost: HashCost;
  /** Right passwords that are checked in a second, by all cores: no more logins than that. */
  readonly perSecond: number;
  /** Milliseconds that one check takes while all cores check, on average. */
  readonly each: number;
  /** MiB that the checks under way take together. */
  readonly memoryAtOnce: number;
}

/** Costs that are advised: OWASP's from little memory to much, and the second recommendation of RFC 9106. */
const ADVISED: readonly HashCost[] = [
  { memory: 7_168, passes: 5, lanes: 1 },
  { memory: 12_288, passes: 3, lanes: 1 },
  { memory: 19_456, passes: 2, lanes: 1 },
  { memory: 47_104, passes: 1, lanes: 1 },
  { memory: 65_536, passes: 3, lanes: 4 },
];

const PASSWORD = 'correct-horse-battery';
/** Milliseconds that a hash may wait here for its turn: no measurement is to end in a refusal. */
const PATIENCE = 60_000;

/** Whether two costs are the same. */
export const isSame = (one: HashCost, other: HashCost) =>
  one.memory === other.memory && one.passes === other.passes && one.lanes === other.lanes;

/** The cost that is set, where it is none of the advised ones, and those. */
export function costsBeside(set: HashCost): readonly HashCost[] {
  return ADVISED.some((cost) => isSame(cost, set)) ? ADVISED : [set, ...ADVISED];
}

/** Nothing waits here: no more is under way than runs at a time. */
const ALONE = { key: '', address: '', familiar: false };

/**
 * Checks passwords for so many milliseconds, in the pool of a service: as many at a time as there are cores, which several
 * processes of one share.
 */
export async function measureHash(cost: HashCost, length: number): Promise<HashFinding> {
  const pool = hashPoolFor(PATIENCE, 1);
  const atOnce = availableParallelism();
  const stored = await hashPassword(PASSWORD, cost);
  const began = performance.now();
  let done = 0;
  const checkOn = async () => {
    do {
      await pool.run(() => verifyPassword(stored, PASSWORD), ALONE);
      done += 1;
    } while (performance.now() - began < length);
  };
  await Promise.all(Array.from({ length: atOnce }, checkOn));
  const took = performance.now() - began;
  return {
    cost,
    perSecond: (done * 1_000) / took,
    each: (took * atOnce) / done,
    memoryAtOnce: (atOnce * cost.memory) / 1_024,
  };
}
