/** The memory of the service at one moment. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number;
  readonly MiB: number;
}

/** What a full garbage collection of V8 left. */
export interface Left {
  /** Seconds since the load began. */
  readonly at: number;
  /** MiB of the heap that are in use: what JavaScript keeps. */
  readonly heap: number;
  /** MiB of the process beside V8's heap: code, the embedded store, buffers, hashes that are being made. */
  readonly beside: number;
}

/** By how much something grew in the last two thirds of a run: what comes before is a service that warms up. */
export interface Growth {
  /** MiB an hour. */
  readonly slope: number;
  /** MiB while it was watched. */
  readonly MiB: number;
}

/** How what is kept moves. */
export interface Trend {
  readonly heap: Growth;
  readonly beside: Growth;
  /** Whether what grew of both is no more than 2 MiB. However much memory swings above, that excuses no growth. */
  readonly flat: boolean;
}

/** What may be kept in the end that was not before, in MiB: one large page of Linux. */
const ROOM = 2;
/** Full collections without which nothing is said. */
const FEWEST = 12;
/** A hash takes many MiB while it is made: of so many collections on end the least tells what is kept beside the heap. */
const ON_END = 4;

/** The median of the slopes between every two samples, which a few that lie elsewhere do not sway (Theil and Sen). */
function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((first, number) =>
    samples.slice(number + 1).map((later) => (later.MiB - first.MiB) / (later.at - first.at)),
  );
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] as number;
}

function growthOf(samples: readonly Sample[], seconds: number): Growth {
  const slope = slopeOf(samples);
  return { slope: slope * 3_600, MiB: slope * seconds };
}

/** The least of every so many samples on end; what is left over at the end belongs to the last of them. */
function leasts(samples: readonly Sample[]): Sample[] {
  const parts = Math.floor(samples.length / ON_END);
  return Array.from({ length: parts }, (_, part) =>
    samples
      .slice(part * ON_END, part + 1 < parts ? (part + 1) * ON_END : undefined)
      .reduce((least, sample) => (sample.MiB < least.MiB ? sample : least)),
  );
}

/** The trend of what full collections left in a run of so many seconds; nothing where too few of them tell. */
export function trend(lefts: readonly Left[], seconds: number): Trend | undefined {
  const watched = lefts.filter(({ at }) => at >= seconds / 3);
  if (watched.length < FEWEST) return undefined;
  const length = (seconds * 2) / 3;
  const heap = growthOf(
    watched.map((left) => ({ at: left.at, MiB: left.heap })),
    length,
  );
  const beside = growthOf(leasts(watched.map((left) => ({ at: left.at, MiB: left.beside }))), length);
  return { heap, beside, flat: Math.max(0, heap.MiB) + Math.max(0, beside.MiB) <= ROOM };
}
