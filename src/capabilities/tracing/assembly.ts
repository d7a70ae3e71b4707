import type { Logger } from 'pino';
import type { OpenTelemetryVariables } from './environment.ts';
import type { OpenedTracing } from './open.ts';

/** Whether they ask for traces: they name a collector, and nothing turns traces off. */
function askForTraces(given: OpenTelemetryVariables): boolean {
  const named = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || given.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = given.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || given.OTEL_TRACES_EXPORTER === 'none';
  return Boolean(named) && !isOff;
}

/** Traces, if the variables ask for them. Their code and its libraries are loaded only then. */
export async function openTracing(
  given: OpenTelemetryVariables,
  log: Logger,
): Promise<OpenedTracing | undefined> {
  if (!askForTraces(given)) return undefined;
  return (await import('./open.ts')).openTracing(given, log);
}
