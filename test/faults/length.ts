/** Seconds of load of each scenario. The checks of a clean clone run a shortened form. */
export const SECONDS = Number(process.env.FAULT_SECONDS ?? 60);

/** Milliseconds that the service may take to answer again once its engine does. */
export const RECOVERY = 5_000;

/** MiB that an instance may hold in memory at its worst moment. */
export const MOST_MEMORY = 400;
