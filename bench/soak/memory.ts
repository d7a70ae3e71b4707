/** The memory of the service at one moment. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number;
  readonly MiB: number;
}

/** How what memory falls back to moves in the last two thirds of a run: what comes before is a service that warms up. */
export interface Trend {
  /** MiB an hour. */
  readonly slope: number;
  /** MiB by which that grew while it was watched. */
  readonly growth: number;
  /** Whether it grew by no more than 2 MiB. However much memory swings, that excuses no growth. */
  readonly flat: boolean;
}

/** Parts that the watched time is cut into: a minute each in a run of half an hour. */
const PARTS = 20;
/** What those lows may grow by, in MiB: one large page of Linux, though nothing is kept. */
const ROOM = 2;

/** The least sample of each part: what garbage collections leave. */
function lowsOf(samples: readonly Sample[]): Sample[] {
  const from = (part: number) => Math.floor((part * samples.length) / PARTS);
  return Array.from({ length: PARTS }, (_, part) =>
    samples.slice(from(part), from(part + 1)).reduce((low, sample) => (sample.MiB < low.MiB ? sample : low)),
  );
}

/** The median of the slopes between every two samples, which a few that lie elsewhere do not sway (Theil and Sen). */
function slopeOf(samples: readonly Sample[]): number {
  const slopes = samples.flatMap((first, number) =>
    samples.slice(number + 1).map((later) => (later.MiB - first.MiB) / (later.at - first.at)),
  );
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] as number;
}

/** The trend of these samples, which were taken at even distances. */
export function trend(samples: readonly Sample[]): Trend {
  const watched = samples.slice(Math.floor(samples.length / 3));
  const [first, end] = [watched[0], watched.at(-1)];
  if (first === undefined || end === undefined || watched.length < PARTS) throw new Error('too few samples');
  const slope = slopeOf(lowsOf(watched));
  const growth = slope * (end.at - first.at);
  return { slope: slope * 3_600, growth, flat: growth <= ROOM };
}
