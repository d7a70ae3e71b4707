/** What was measured at one moment, such as memory in MiB. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number;
  readonly value: number;
}

/** The memory after a full garbage collection. */
export interface AfterCollection {
  /** Seconds since the load began. */
  readonly at: number;
  /** Used heap in MiB. */
  readonly heap: number;
  /** MiB outside V8's heap: code, the embedded store, buffers, running hashes. */
  readonly beside: number;
}

/** The growth in the last two thirds of a run. In the first third the service warms up. */
export interface Growth {
  /** MiB an hour. */
  readonly slope: number;
  /** MiB in the watched time. */
  readonly MiB: number;
}

/** The growth of memory. */
export interface Trend {
  readonly heap: Growth;
  readonly beside: Growth;
  /** Whether heap and the memory outside it grew by no more than 2 MiB together. */
  readonly flat: boolean;
}

/** The allowed growth in MiB: one large page of Linux. */
const ROOM = 2;
/** The least number of full collections for a result. */
const FEWEST = 12;
/** Running hashes take many MiB, so only the least of this number of consecutive samples counts. */
const ON_END = 4;

/** The Theil–Sen slope: the median of the slopes between every two samples, which outliers do not change. */
function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((first, number) =>
    samples.slice(number + 1).map((later) => (later.value - first.value) / (later.at - first.at)),
  );
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] as number;
}

function growthOf(samples: readonly Sample[], seconds: number): Growth {
  const slope = slopeOf(samples);
  return { slope: slope * 3_600, MiB: slope * seconds };
}

/** The least of each group of {@link ON_END} consecutive samples. The last group takes the remainder. */
function leasts(samples: readonly Sample[]): Sample[] {
  const parts = Math.floor(samples.length / ON_END);
  return Array.from({ length: parts }, (_, part) =>
    samples
      .slice(part * ON_END, part + 1 < parts ? (part + 1) * ON_END : undefined)
      .reduce((least, sample) => (sample.value < least.value ? sample : least)),
  );
}

/** The trend of memory after full collections in a run; undefined when there were too few collections. */
export function trend(collections: readonly AfterCollection[], seconds: number): Trend | undefined {
  const watched = collections.filter(({ at }) => at >= seconds / 3);
  if (watched.length < FEWEST) return undefined;
  const length = (seconds * 2) / 3;
  const heap = growthOf(
    watched.map((left) => ({ at: left.at, value: left.heap })),
    length,
  );
  const beside = growthOf(leasts(watched.map((left) => ({ at: left.at, value: left.beside }))), length);
  return { heap, beside, flat: Math.max(0, heap.MiB) + Math.max(0, beside.MiB) <= ROOM };
}
