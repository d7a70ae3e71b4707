import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from './tickets.ts';

/** The age in milliseconds after which a seeded store is made again: tickets age while rows are measured. */
const FRESH = 3 * 60_000;

/**
 * Returns a function that makes a data folder in `place` and gives its path. The folder is a copy of a store with `tickets`
 * tickets, or has a new store with another number.
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
