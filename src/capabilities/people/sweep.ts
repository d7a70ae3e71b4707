import type { Sweep } from '../../core/storage/sweep.ts';

/** Removes freed names that are free again. */
export const freedNamesSweep: Sweep = {
  batch: ({ freedNames }, { now }, limit) => freedNames.sweep(now, limit),
};
