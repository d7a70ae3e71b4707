import type { Sweep } from '../../core/storage/sweep.ts';

/** Removes the deliveries of events that are no longer kept. */
export const deliveriesSweep: Sweep = {
  batch: ({ webhooks }, { eventsSince }, limit) => webhooks.sweep(eventsSince, limit),
};
