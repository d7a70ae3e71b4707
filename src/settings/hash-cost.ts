import type { Settings } from './table.ts';

/** The cost of new password hashes, as it is set. */
export function hashCostIn({ hashMemory, hashPasses, hashLanes }: Settings) {
  return { memory: hashMemory, passes: hashPasses, lanes: hashLanes };
}
