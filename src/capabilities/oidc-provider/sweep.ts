import type { Sweep } from '../../core/storage/sweep.ts';

/** How many steps of sign-ins that have only begun are kept: more than people begin in an hour. */
const MOST_BEGUN = 100_000;

/** Removes what the protocol kept and what is over, and what strangers begin beyond a limit. */
export const entriesSweep: Sweep = {
  async batch({ providerEntries }, { now }, limit) {
    const expired = await providerEntries.sweep(now, limit);
    return expired + (await providerEntries.trim(MOST_BEGUN, limit - expired));
  },
};
