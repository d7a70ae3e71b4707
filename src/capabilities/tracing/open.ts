import { randomUUID } from 'node:crypto';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { RequestTracing } from '../../core/telemetry/request-tracing.ts';
import { VERSION } from '../../core/version.ts';
import { type OpenTelemetryVariables, tracingOptionsIn } from './environment.ts';
import { Spans } from './spans.ts';

/** Traces that are sent while it is open. */
export interface OpenedTracing extends RequestTracing {
  /** Makes no further spans, and sends the last ones. Waits for `OTEL_EXPORTER_OTLP_TIMEOUT` or {@link TIMEOUT} at most. */
  close(): Promise<void>;
}

/** Milliseconds for one batch, if no variable says so. The usual ten seconds would hold up each stop while the collector is down. */
const TIMEOUT = 3_000;

/** Begins to trace by these variables, and logs where to; undefined if the collector's address is none. */
export function openTracing(variables: OpenTelemetryVariables, log: Logger): OpenedTracing | undefined {
  const { collector, sampler, continues, batch, faults } = tracingOptionsIn(variables);
  for (const fault of faults) log.warn(fault);
  if (collector === undefined) return undefined;
  const address = `${collector.origin}${collector.pathname}`;
  const exporter = new ReportingExporter(exporterTo(collector, variables, log), address, log);
  const provider = new TracerProvider({
    sampler,
    resource: resourceIn(),
    spanProcessors: [new BatchSpanProcessor({ ...batch, exporter })],
  });
  const spans = new Spans(provider.getTracer('tessera', VERSION), continues);
  log.info({ collector: address }, 'requests are traced');
  return {
    follow: (request, handle) => spans.follow(request, handle),
    answered: (record) => spans.answered(record),
    async close() {
      spans.close();
      // A collector that takes nothing was reported before.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

/** The library's exporter. It reads the other variables of OTLP by itself; what it finds wrong is logged. */
function exporterTo(collector: URL, variables: OpenTelemetryVariables, log: Logger): OTLPTraceExporter {
  const warn = (message: string) => log.warn(message);
  const silent = () => undefined;
  const isTimed = variables.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || variables.OTEL_EXPORTER_OTLP_TIMEOUT;
  diag.setLogger({ verbose: silent, debug: silent, info: silent, warn, error: warn }, DiagLogLevel.WARN);
  const exporter = new OTLPTraceExporter({
    url: collector.href,
    ...(!isTimed && { timeoutMillis: TIMEOUT }),
  });
  diag.disable();
  return exporter;
}

/** The attributes of the service in all spans. Variables come before the service's own values. */
function resourceIn() {
  const own = {
    'service.name': 'tessera',
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
  };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Logs when the collector begins to refuse spans, and when it takes them again. */
class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #collector: string;
  readonly #log: Logger;
  /** Spans that were lost since the collector took some. */
  #lost = 0;

  constructor(exporter: SpanExporter, collector: string, log: Logger) {
    this.#exporter = exporter;
    this.#collector = collector;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#report(result, spans.length);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #report({ code, error }: ExportResult, spans: number): void {
    const collector = this.#collector;
    if (code === ExportResultCode.SUCCESS) {
      if (this.#lost > 0) this.#log.info({ collector, lost: this.#lost }, 'the collector takes spans again');
      this.#lost = 0;
      return;
    }
    if (this.#lost === 0)
      this.#log.warn(
        { collector, fault: faultOf(error) },
        'spans are lost: the collector does not take them',
      );
    this.#lost += spans;
  }
}

/** The message of a fault or, of one with several causes and no message, its code. */
const faultOf = (error: (Error & { readonly code?: unknown }) | undefined) => error?.message || error?.code;
