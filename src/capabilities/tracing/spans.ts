import { AsyncLocalStorage } from 'node:async_hooks';
import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import {
  type Attributes,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { RequestRecord } from '../../core/telemetry/metrics.ts';
import type { RequestTracing, TracedRequest } from '../../core/telemetry/request-tracing.ts';

/** The span of the current work. */
interface ActiveSpan {
  readonly span: Span;
  /** The span of the request. */
  readonly request: Span;
  /** Epoch milliseconds of the monotonic clock's zero, when the request came: all its spans use one clock. */
  readonly epoch: number;
  readonly method: string;
}

/** The messages that the modules publish about their work. */
interface PublishedWork {
  /** The template of the path, from the root on. */
  readonly route?: string;
  readonly engine?: string;
  readonly access?: string;
  readonly error?: unknown;
}

/** The channels of the modules, and the name of the span that the work on each gets. */
const CHANNELS: Readonly<Record<string, (work: PublishedWork) => string>> = {
  'tessera:gate': () => 'gate',
  'tessera:hash-wait': () => 'hash wait',
  'tessera:hash': () => 'hash',
  'tessera:store': ({ access }) => `store ${access}`,
};

/** Methods that HTTP defines (RFC 9110, RFC 5789). Any other is `_OTHER`: a caller may write anything into it. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

/** The attributes of a span of a module. None holds a text of a caller: no path, no name, no credential. */
const attributesOf = ({ engine }: PublishedWork): Attributes => (engine ? { 'db.system.name': engine } : {});

/**
 * Makes the spans of requests, by the HTTP conventions of OpenTelemetry, and of what the modules publish while a request is
 * handled. No attribute holds a text of a caller.
 */
export class Spans implements RequestTracing {
  readonly #tracer: Tracer;
  /** Undefined if each trace begins here. */
  readonly #propagator: W3CTraceContextPropagator | undefined;
  readonly #active = new AsyncLocalStorage<ActiveSpan | undefined>();
  readonly #made = new WeakMap<object, ActiveSpan>();
  /** Ends the subscriptions, which cost every request something: there are some only while a recorded request is handled. */
  #unsubscribe: (() => void)[] = [];
  /** How many recorded requests are being handled. */
  #recorded = 0;

  /** `continues` is whether a trace is continued that began elsewhere. */
  constructor(tracer: Tracer, continues: boolean) {
    this.#tracer = tracer;
    this.#propagator = continues ? new W3CTraceContextPropagator() : undefined;
  }

  follow<T>({ method, began, traceparent, tracestate }: TracedRequest, handle: () => T): T {
    const epoch = Date.now() - performance.now();
    const sent = { traceparent, tracestate };
    const context = this.#propagator?.extract(ROOT_CONTEXT, sent, defaultTextMapGetter) ?? ROOT_CONTEXT;
    const name = METHODS.has(method) ? method : '_OTHER';
    const span = this.#tracer.startSpan(
      name === '_OTHER' ? 'HTTP' : name,
      { kind: SpanKind.SERVER, startTime: epoch + began, attributes: { 'http.request.method': name } },
      context,
    );
    if (span.isRecording()) this.#began();
    return this.#active.run({ span, request: span, epoch, method: name }, handle);
  }

  answered({ id, operation, refusal, status }: RequestRecord): string | undefined {
    const { request, epoch } = this.#active.getStore() ?? {};
    if (request === undefined || epoch === undefined) return undefined;
    if (request.isRecording()) {
      request.setAttributes({
        'http.response.status_code': status,
        'tessera.request_id': id,
        'tessera.outcome': refusal?.refused ?? 'ok',
        ...(operation !== undefined && { 'tessera.operation': operation }),
        ...(status >= 500 && { 'error.type': refusal?.refused ?? String(status) }),
      });
      if (status >= 500) request.setStatus({ code: SpanStatusCode.ERROR });
      request.end(epoch + performance.now());
      this.#ended();
    }
    return request.spanContext().traceId;
  }

  /** Makes no further spans below those of requests. */
  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
  }

  #began(): void {
    this.#recorded += 1;
    if (this.#recorded > 1) return;
    this.#unsubscribe = Object.entries(CHANNELS).map(([name, nameOf]) => this.#subscribe(name, nameOf));
  }

  #ended(): void {
    this.#recorded -= 1;
    if (this.#recorded === 0) this.close();
  }

  #subscribe(name: string, nameOf: (work: PublishedWork) => string): () => void {
    const channel: TracingChannel<PublishedWork, ActiveSpan | undefined> = tracingChannel(name);
    const ended = (work: PublishedWork) => this.#end(work);
    channel.start.bindStore(this.#active, (work) => this.#begin(nameOf(work), work));
    channel.asyncEnd.subscribe(ended as never);
    return () => {
      channel.start.unbindStore(this.#active);
      channel.asyncEnd.unsubscribe(ended as never);
    };
  }

  /** Begins a span below the active one. Work that goes on after the answer, or belongs to no sampled request, gets none. */
  #begin(name: string, work: PublishedWork): ActiveSpan | undefined {
    const active = this.#active.getStore();
    if (active === undefined || !active.request.isRecording()) return active;
    const { epoch, request, method } = active;
    if (work.route !== undefined) {
      request.updateName(`${method} ${work.route}`).setAttribute('http.route', work.route);
    }
    const options = { startTime: epoch + performance.now(), attributes: attributesOf(work) };
    const span = this.#tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, active.span));
    const begun = { ...active, span };
    this.#made.set(work, begun);
    return begun;
  }

  #end(work: PublishedWork): void {
    const active = this.#made.get(work);
    if (active === undefined) return;
    const { span, epoch } = active;
    if (work.error instanceof Error) {
      // The type alone: a message may hold what a caller sent.
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', work.error.name);
    }
    span.end(epoch + performance.now());
  }
}
