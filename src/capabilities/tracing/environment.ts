import type { Sampler } from '@opentelemetry/sdk-trace';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** The environment variables that OpenTelemetry specifies, by their names (`OTEL_*`). */
export type OpenTelemetryVariables = Readonly<Record<string, string | undefined>>;

/** How requests are traced, by the `OTEL_*` variables that OpenTelemetry specifies. */
export interface TracingOptions {
  /** Where spans are sent; undefined if it is no address of the web. */
  readonly collector: URL | undefined;
  readonly sampler: Sampler;
  /** Whether a trace that a trusted proxy began is continued. */
  readonly continues: boolean;
  /** How spans are batched: times in milliseconds, sizes in spans. */
  readonly batch: Readonly<Record<keyof typeof BATCH, number>>;
  /** The faults of variables. Each sentence says what the service does instead, and holds no value that may be secret. */
  readonly faults: readonly string[];
}

/** The variables of batches, and their defaults by the specification. */
const BATCH = {
  scheduledDelayMillis: ['OTEL_BSP_SCHEDULE_DELAY', 5_000],
  exportTimeoutMillis: ['OTEL_BSP_EXPORT_TIMEOUT', 30_000],
  maxQueueSize: ['OTEL_BSP_MAX_QUEUE_SIZE', 2_048],
  maxExportBatchSize: ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512],
} as const;

const SAMPLERS: Readonly<Record<string, (share: () => number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share()),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (share) =>
    new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share()) }),
};

const USUAL_SAMPLER = 'parentbased_always_on';
const PROTOCOL = 'http/protobuf';

/** Reads the variables. An empty one counts as not set, and a wrong one as its default, as the specification says. */
export function tracingOptionsIn(env: OpenTelemetryVariables): TracingOptions {
  const faults: string[] = [];
  const collector = collectorIn(env, faults);
  const sampler = samplerIn(env, faults);
  const continues = continuesIn(env, faults);
  const numbers = Object.entries(BATCH).map(([option, [variable, usual]]) => [
    option,
    wholeNumberIn(env, variable, usual, faults),
  ]);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || PROTOCOL;
  if (protocol !== PROTOCOL) faults.push(`OTEL_EXPORTER_OTLP_PROTOCOL: spans are sent by ${PROTOCOL} only`);
  const exporter = env.OTEL_TRACES_EXPORTER || 'otlp';
  if (exporter !== 'otlp') faults.push('OTEL_TRACES_EXPORTER: otlp is used; set otlp or none');
  return { collector, sampler, continues, batch: Object.fromEntries(numbers), faults };
}

/** The address for spans itself, or that for all signals with the path for spans added to it. */
function collectorIn(env: OpenTelemetryVariables, faults: string[]): URL | undefined {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const variable = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const shared = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  const text = own || `${shared}${shared.endsWith('/') ? '' : '/'}v1/traces`;
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  faults.push(
    `${variable} is no address of a collector, so nothing is traced: set one such as http://localhost:4318`,
  );
  return undefined;
}

function samplerIn(env: OpenTelemetryVariables, faults: string[]): Sampler {
  const named = env.OTEL_TRACES_SAMPLER || USUAL_SAMPLER;
  const sampler = SAMPLERS[named];
  if (sampler !== undefined) return sampler(() => shareIn(env, faults));
  const samplers = Object.keys(SAMPLERS).join(', ');
  faults.push(`OTEL_TRACES_SAMPLER: ${USUAL_SAMPLER} is used; set one of ${samplers}`);
  return new ParentBasedSampler({ root: new AlwaysOnSampler() });
}

/** The share of traces that are sampled, from 0 to 1. */
function shareIn(env: OpenTelemetryVariables, faults: string[]): number {
  const text = env.OTEL_TRACES_SAMPLER_ARG;
  if (!text) return 1;
  const share = Number(text);
  if (share >= 0 && share <= 1) return share;
  faults.push('OTEL_TRACES_SAMPLER_ARG: 1 is used; set a share from 0 to 1');
  return 1;
}

function continuesIn(env: OpenTelemetryVariables, faults: string[]): boolean {
  const named = (env.OTEL_PROPAGATORS || 'tracecontext,baggage').split(',').map((name) => name.trim());
  if (named.some((name) => !['tracecontext', 'baggage', 'none'].includes(name)))
    faults.push('OTEL_PROPAGATORS: traces are continued by tracecontext only; set tracecontext or none');
  return named.includes('tracecontext');
}

function wholeNumberIn(
  env: OpenTelemetryVariables,
  variable: string,
  usual: number,
  faults: string[],
): number {
  const text = env[variable];
  if (!text) return usual;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  faults.push(`${variable}: ${usual} is used; set a whole number above 0`);
  return usual;
}
