import { refusalIn } from './answers.ts';
import { Refused, Unreachable, Unreadable } from './failures.ts';
import { BARE, pause, type SendOptions } from './send.ts';

/** A message of a stream. After a break, the stream continues behind `id`. */
export interface StreamedMessage<T> {
  readonly id: string;
  readonly event: T;
}

/** The request for a stream. */
interface AskedStream {
  readonly url: string;
  readonly credential: string;
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * How far a stream has come: the id of its last message, the milliseconds to wait before it is asked for again, and whether
 * it was ever connected.
 */
interface StreamProgress {
  hasBegun: boolean;
  id: string | undefined;
  retry: number;
}

/** Milliseconds to wait until the server names another wait. */
const RETRY = 3_000;
const UNAVAILABLE = 503;

/** The data in one block of lines (HTML standard section 9.2.6). Keeps the id and the wait that it names. */
function dataIn(block: string, progress: StreamProgress): string | undefined {
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === 'id') progress.id = value;
    if (field === 'retry' && /^\d+$/.test(value)) progress.retry = Number(value);
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : data.join('\n');
}

/** The messages in the body of one connection. */
async function* messagesIn(
  body: ReadableStream<Uint8Array>,
  progress: StreamProgress,
): AsyncGenerator<StreamedMessage<unknown>, void, undefined> {
  const decoder = new TextDecoder();
  let unread = '';
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (unread + decoder.decode(part.value, { stream: true })).split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = dataIn(block, progress);
        if (data !== undefined) yield { id: progress.id ?? '', event: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function opened(
  { url, credential, signal }: AskedStream,
  { fetch, timeout }: SendOptions,
  id: string | undefined,
): Promise<Response> {
  const headers = {
    accept: 'text/event-stream, application/problem+json',
    authorization: `Bearer ${credential}`,
    ...(id !== undefined && { 'last-event-id': id }),
  };
  // The deadline counts until the answer begins. The stream itself has none.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Unreachable('the stream does not begin')), timeout);
  const signals = signal === undefined ? [late.signal] : [late.signal, signal];
  try {
    return await fetch(url, { ...BARE, headers, signal: AbortSignal.any(signals) });
  } finally {
    clearTimeout(timer);
  }
}

async function* connected(
  request: AskedStream,
  options: SendOptions,
  progress: StreamProgress,
): AsyncGenerator<StreamedMessage<unknown>, void, undefined> {
  const response = await opened(request, options, progress.id);
  if (!response.ok) throw refusalIn(response, await response.text(), [request.credential], Date.now());
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || response.body === null)
    throw new Unreadable('The answer is no stream of events: check the base URL');
  progress.hasBegun = true;
  yield* messagesIn(response.body, progress);
}

/** Whether a new connection may help: this one broke, or the server is unavailable for a moment. */
function passes(fault: unknown): boolean {
  if (fault instanceof Refused) return fault.status === UNAVAILABLE;
  return !(fault instanceof Unreadable || fault instanceof SyntaxError);
}

/** The error for the caller if the first connection fails. */
function failureOf(cause: unknown, url: string): unknown {
  if (cause instanceof Refused || cause instanceof Unreachable) return cause;
  return new Unreachable(`${new URL(url).origin} gave no answer`, { cause });
}

/**
 * The messages of a stream, over any number of connections. Ends when the signal aborts. Throws a failure of the first
 * connection, and later each failure that a new connection cannot mend.
 */
export async function* streamed(
  request: AskedStream,
  options: SendOptions,
): AsyncGenerator<StreamedMessage<unknown>, void, undefined> {
  const { signal = new AbortController().signal } = request;
  const progress: StreamProgress = { id: request.lastEventId, retry: RETRY, hasBegun: false };
  while (!signal.aborted) {
    try {
      for await (const message of connected(request, options, progress)) {
        yield message;
        // Messages that arrived together with it are no longer wanted.
        if (signal.aborted) return;
      }
    } catch (fault) {
      if (signal.aborted) return;
      if (!passes(fault)) throw fault;
      if (!progress.hasBegun) throw failureOf(fault, request.url);
    }
    await pause(progress.retry, signal).catch(() => undefined);
  }
}
