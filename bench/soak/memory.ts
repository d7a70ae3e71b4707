/** The memory of the service at one moment. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number;
  readonly MiB: number;
}

/** A straight line through samples (least squares), and how far they lie from it. */
export interface Trend {
  /** MiB an hour. */
  readonly slope: number;
  /** MiB by which memory grew along the line while it was watched. */
  readonly growth: number;
  /** Standard deviation of the samples from the line, in MiB. */
  readonly noise: number;
  /** Whether the growth is lost in the noise: at most twice of it. */
  readonly flat: boolean;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The trend of the last two thirds of samples: what comes before is a service that warms up. */
export function trend(samples: readonly Sample[]): Trend {
  const last = samples.slice(Math.floor(samples.length / 3));
  const [first, end] = [last[0], last.at(-1)];
  if (first === undefined || end === undefined || last.length < 3) throw new Error('too few samples');
  const [at, memory] = [mean(last.map((sample) => sample.at)), mean(last.map(({ MiB }) => MiB))];
  const spread = last.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  const slope = last.reduce((sum, sample) => sum + (sample.at - at) * (sample.MiB - memory), 0) / spread;
  const residuals = last.map((sample) => (sample.MiB - memory - slope * (sample.at - at)) ** 2);
  const noise = Math.sqrt(mean(residuals));
  const growth = slope * (end.at - first.at);
  return { slope: slope * 3_600, growth, noise, flat: Math.abs(growth) <= 2 * noise };
}
