import type { OpenedCapability, OpeningParts } from '../capability.ts';
import type { OpenTelemetryVariables } from './environment.ts';

/** Whether they ask for traces: they name a collector, and nothing turns traces off. */
function askForTraces(variables: OpenTelemetryVariables): boolean {
  const named = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff =
    variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || variables.OTEL_TRACES_EXPORTER === 'none';
  return Boolean(named) && !isOff;
}

/** Follows requests in traces, if the variables ask for it. The code and its libraries are loaded only then. */
export async function openTraces({
  openTelemetry,
  log,
}: OpeningParts): Promise<OpenedCapability | undefined> {
  if (!askForTraces(openTelemetry)) return undefined;
  const tracing = (await import('./open.ts')).openTracing(openTelemetry, log);
  return tracing && { tracing, stop: () => tracing.close() };
}
