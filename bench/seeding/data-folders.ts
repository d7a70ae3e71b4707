import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from './tickets.ts';

/** Tickets older than this are seeded anew: they age while rows are measured. In milliseconds. */
const FRESH = 3 * 60_000;

/**
 * Makes data folders, each a copy of one that is seeded in `folder`, or seeded with another number of tickets. Gives
 * the path of the folder made in `place`.
 */
export function dataFolders(
  folder: string,
  tickets: number,
  say: (progress: string) => void,
): (place: string, otherNumber?: number) => Promise<string> {
  const original = join(folder, 'seeded');
  let seededAt = Number.NEGATIVE_INFINITY;
  return async (place, otherNumber) => {
    const made = join(await mkdtemp(join(place, 'data-')), 'data');
    if (otherNumber !== undefined) {
      say(`seeding ${otherNumber} tickets`);
      await seed(made, otherNumber);
      return made;
    }
    if (performance.now() - seededAt > FRESH) {
      await rm(original, { recursive: true, force: true });
      say(`seeding ${tickets} tickets`);
      await seed(original, tickets);
      seededAt = performance.now();
    }
    await cp(original, made, { recursive: true });
    return made;
  };
}
