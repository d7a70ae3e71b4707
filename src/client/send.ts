import { refusalIn, valueIn } from './answers.ts';
import { Refused, Unreachable, Unreadable } from './failures.ts';

/** How a client sends its calls. */
export interface SendOptions {
  readonly fetch: typeof fetch;
  /** Most milliseconds of a call, with all its tries and the waits between them. */
  readonly timeout: number;
  /** Most milliseconds to wait before one further try. */
  readonly patience: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Options of a client. Durations are whole milliseconds, 24 days at most. `fetch` replaces the platform's own. */
export type ClientOptions = { readonly [K in keyof SendOptions]?: SendOptions[K] | undefined };

/** The longest delay of a timer. A longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

function milliseconds(option: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= LONGEST) return value;
  throw new TypeError(`${option} is ${value}: give whole milliseconds from ${least} to ${LONGEST}`);
}

/** The options with their defaults. Throws a TypeError for a duration that no timer can have. */
export function sendOptions({
  fetch = globalThis.fetch,
  timeout = 30_000,
  patience = 5_000,
}: ClientOptions): SendOptions {
  return {
    fetch,
    timeout: milliseconds('timeout', timeout, 1),
    patience: milliseconds('patience', patience, 0),
  };
}

/** One call, ready to be sent. */
export interface Outgoing<A> {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Texts that no error may repeat. Tickets are recognised by their form. */
  readonly secrets: readonly string[];
  readonly answers: (body: unknown) => body is A;
  /** A status that carries an answer too, although it is not a success. */
  readonly alsoAnswers?: number;
  /** Whether an answer may have no body (204). Its value is undefined then. */
  readonly mayBeEmpty?: true;
}

const MOST_TRIES = 3;
/** Milliseconds before the second try if the server names none. Doubled before the third. */
const FIRST_WAIT = 200;
const UNAVAILABLE = 503;

/** Browsers add no cookies and use no cache, and no redirection is followed: another host is never sent this call. */
export const BARE = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

export function pause(wait: number, signal: AbortSignal): Promise<void> {
  // A listener that is added now is not called for an earlier abort.
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, wait);
  const stop = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  signal.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

/** Whether an answer is a redirection. Browsers do not show its status. */
function isRedirection({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** A value, and the `ETag` of the answer. */
export interface Received<A> {
  readonly value: A;
  readonly etag: string | undefined;
}

/** One try: its value, or why there is none. */
async function tried<A>(
  outgoing: Outgoing<A>,
  { fetch }: SendOptions,
  signal: AbortSignal,
): Promise<Received<A> | Refused | Unreachable> {
  const { method, url, headers, body, secrets, answers, alsoAnswers, mayBeEmpty } = outgoing;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...BARE, method, headers, body: body ?? null, signal });
    text = await response.text();
  } catch (cause) {
    signal.throwIfAborted();
    return new Unreachable(`${new URL(url).origin} gave no answer`, { cause });
  }
  if (isRedirection(response)) throw new Unreadable('The server redirects: check the base URL');
  const etag = response.headers.get('etag') ?? undefined;
  if (mayBeEmpty && response.status === 204) return { value: undefined as A, etag };
  if (response.ok || response.status === alsoAnswers) return { value: valueIn(text, answers), etag };
  return refusalIn(response, text, secrets, Date.now());
}

/** Milliseconds to wait before another try. Undefined if there must not be one. */
function waitBefore(
  next: number,
  failure: Refused | Unreachable,
  { patience }: SendOptions,
): number | undefined {
  if (next > MOST_TRIES || (failure instanceof Refused && failure.status !== UNAVAILABLE)) return undefined;
  const named = failure instanceof Refused ? failure.retryAfter : undefined;
  const wait = named === undefined ? FIRST_WAIT * 2 ** (next - 2) : named * 1_000;
  return wait > patience ? undefined : wait;
}

/**
 * Sends a call and returns its value. Only a GET is sent again if the server is unavailable or gives no answer, since
 * it changes nothing. A repeated login would make two tickets; a repeated logout would be refused.
 */
export async function send<A>(outgoing: Outgoing<A>, options: SendOptions, signal?: AbortSignal): Promise<A> {
  return (await receive(outgoing, options, signal)).value;
}

/** Sends a call, as {@link send} does, and returns its value with its `ETag`. */
export async function receive<A>(
  outgoing: Outgoing<A>,
  options: SendOptions,
  own?: AbortSignal,
): Promise<Received<A>> {
  const deadline = AbortSignal.timeout(options.timeout);
  const signal = own === undefined ? deadline : AbortSignal.any([deadline, own]);
  for (let next = 2; ; next += 1) {
    const outcome = await tried(outgoing, options, signal);
    if ('value' in outcome) return outcome;
    const wait = outgoing.method === 'GET' ? waitBefore(next, outcome, options) : undefined;
    if (wait === undefined) throw outcome;
    await pause(wait, signal);
  }
}
