import type { RefusalCode } from '../domain/refusal.ts';

/** Outcomes that an alert is for, told at 0 from the start on: no rate shows the count that a series begins with. */
const ALARMING: readonly RefusalCode[] = ['internal', 'store_unavailable', 'hash_queue_full'];

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What was counted of one operation. */
interface OperationCounts {
  readonly outcomes: Map<string, number>;
  /** Requests by the first bucket that they fit into; the last one holds those that fit into none. */
  readonly fitting: Float64Array;
  seconds: number;
}

/** Label values are operation ids and outcomes of ours: nothing in them needs an escape. */
function* linesOf(
  operation: string,
  { outcomes, fitting, seconds }: OperationCounts,
): Generator<[string, string]> {
  for (const [outcome, times] of outcomes)
    yield ['requests', `tessera_requests_total{operation="${operation}",outcome="${outcome}"} ${times}`];
  if (fitting.every((times) => times === 0)) return;
  const name = 'tessera_request_duration_seconds';
  let upTo = 0;
  for (const [bucket, times] of fitting.entries()) {
    upTo += times;
    const le = BUCKETS[bucket] ?? '+Inf';
    yield ['durations', `${name}_bucket{le="${le}",operation="${operation}"} ${upTo}`];
  }
  yield ['durations', `${name}_sum{operation="${operation}"} ${seconds}`];
  yield ['durations', `${name}_count{operation="${operation}"} ${upTo}`];
}

const nothingYet = (): OperationCounts => ({
  outcomes: new Map(),
  fitting: new Float64Array(BUCKETS.length + 1),
  seconds: 0,
});

/**
 * Counts of requests and their durations, written in the Prometheus text format (version 0.0.4) when they are asked
 * for. Own code, since counting is on the way of every request: the library's costs ten times as much each time.
 */
export class RequestMetrics {
  readonly #counted = new Map<string, OperationCounts>();

  constructor(operations: readonly string[]) {
    for (const operation of operations) {
      const counted = nothingYet();
      for (const outcome of ALARMING) counted.outcomes.set(outcome, 0);
      this.#counted.set(operation, counted);
    }
  }

  /** Counts a request to `operation` that was answered after `seconds`, if known. */
  answered(operation: string, outcome: string, seconds: number | undefined): void {
    let counted = this.#counted.get(operation);
    if (counted === undefined) {
      counted = nothingYet();
      this.#counted.set(operation, counted);
    }
    const { outcomes, fitting } = counted;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (seconds === undefined) return;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
    fitting[bucket] = (fitting[bucket] as number) + 1;
    counted.seconds += seconds;
  }

  /** Both metrics as text. */
  text(): string {
    const lines = [...this.#counted].flatMap(([operation, counted]) => [...linesOf(operation, counted)]);
    const of = (metric: string) => lines.filter(([one]) => one === metric).map(([, line]) => line);
    return [
      '# HELP tessera_requests_total Requests by operation and outcome.',
      '# TYPE tessera_requests_total counter',
      ...of('requests'),
      '# HELP tessera_request_duration_seconds Time from a request until its answer is handed to the connection.',
      '# TYPE tessera_request_duration_seconds histogram',
      ...of('durations'),
      '',
    ].join('\n');
  }
}
