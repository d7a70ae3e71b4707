import { createHash } from 'node:crypto';
import type { Mutant } from './mutants.ts';

/** The share of a normal distribution's width that holds 95 % of it. */
const Z = 1.96;

/**
 * Chooses `size` mutants, each with the same chance. The same seed chooses the same mutants of the same files, and a larger
 * sample starts with those of a smaller one.
 */
export function sampleOf<T extends Mutant & { readonly file: string }>(
  mutants: readonly T[],
  size: number,
  seed: number,
): T[] {
  const placeOf = ({ file, start, end, replacement }: T) =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, start, end, replacement]))
      .digest('hex');
  return mutants
    .map((mutant) => ({ mutant, place: placeOf(mutant) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

/** The 95 % interval of a rate that a sample shows (Wilson, 1927). */
export function intervalOf(caught: number, tried: number): [from: number, to: number] {
  const rate = caught / tried;
  const scale = 1 + Z ** 2 / tried;
  const middle = (rate + Z ** 2 / (2 * tried)) / scale;
  const reach = (Z / scale) * Math.sqrt((rate * (1 - rate)) / tried + Z ** 2 / (4 * tried ** 2));
  return [middle - reach, middle + reach];
}
