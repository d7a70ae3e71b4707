import { availableParallelism } from 'node:os';
import { hashPoolFor } from '../../core/identity/hash-queue.ts';
import { type HashCost, hashPassword, verifyPassword } from '../../core/identity/password-hash.ts';

/** The measurement of one cost of a password hash. */
export interface HashFinding {
  readonly cost: HashCost;
  /** Password checks a second on all cores: the most logins a second. */
  readonly perSecond: number;
  /** The average milliseconds of one check while all cores check. */
  readonly each: number;
  /** The memory of all concurrent checks in MiB. */
  readonly memoryAtOnce: number;
}

/** Recommended costs: those of OWASP by memory, and the second one of RFC 9106. */
const ADVISED: readonly HashCost[] = [
  { memory: 7_168, passes: 5, lanes: 1 },
  { memory: 12_288, passes: 3, lanes: 1 },
  { memory: 19_456, passes: 2, lanes: 1 },
  { memory: 47_104, passes: 1, lanes: 1 },
  { memory: 65_536, passes: 3, lanes: 4 },
];

const PASSWORD = 'correct-horse-battery';
/** The queue deadline in milliseconds, long enough that no hash is refused. */
const PATIENCE = 60_000;

/** Whether two costs are the same. */
export const isSame = (one: HashCost, other: HashCost) =>
  one.memory === other.memory && one.passes === other.passes && one.lanes === other.lanes;

/** The recommended costs, and before them the configured one if it is not among them. */
export function costsBeside(set: HashCost): readonly HashCost[] {
  return ADVISED.some((cost) => isSame(cost, set)) ? ADVISED : [set, ...ADVISED];
}

/** An owner for hashes that never wait: no more are under way than run at once. */
const ALONE = { key: '', address: '', familiar: false };

/**
 * Checks passwords for `length` milliseconds in the hash pool of a service, as many at once as there are cores.
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
