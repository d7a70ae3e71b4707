import type { Sweep } from '../../core/storage/sweep.ts';

/** Removes what the protocol kept and what is over. */
export const entriesSweep: Sweep = {
  batch: ({ providerEntries }, { now }, limit) => providerEntries.sweep(now, limit),
};
