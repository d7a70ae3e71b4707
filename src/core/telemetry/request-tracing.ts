import type { RequestRecord } from './metrics.ts';

/** A request, as its trace needs it. */
export interface TracedRequest {
  readonly method: string;
  /** When reading it began, by the monotonic clock, in milliseconds. */
  readonly began: number;
  /** `traceparent` and `tracestate` (W3C Trace Context), if a trusted proxy sent them. */
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

/** Follows requests in traces. */
export interface RequestTracing {
  /** Handles the request in a span of its own, which {@link answered} ends. Everything that happens meanwhile belongs to it. */
  follow<T>(request: TracedRequest, handle: () => T): T;
  /** Ends the span of the request that is being handled, and returns the id of its trace; undefined if there is none. */
  answered(record: RequestRecord): string | undefined;
}
