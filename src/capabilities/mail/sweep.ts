import type { Sweep } from '../../core/storage/sweep.ts';

/** Removes links that have expired. */
export const linksSweep: Sweep = {
  batch: ({ passwordLinks }, { now }, limit) => passwordLinks.sweep(now, limit),
};
