/** Seconds of load of each scenario. The checks of a clean clone run a shortened form. */
export const SECONDS = Number(process.env.FAULT_SECONDS ?? 60);

/** Why a scenario that takes long is left out of a short run; undefined in a long one. */
export const whyTooShort = (): string | undefined =>
  SECONDS >= 20 ? undefined : 'it takes long: set FAULT_SECONDS to 20 or more';

/** Milliseconds that the service may take to answer again once its engine does. */
export const RECOVERY = 5_000;

/** MiB that an instance may hold in memory at its worst moment. */
export const MOST_MEMORY = 400;
