import { refusalIn, valueIn } from './answers.ts';
import { Refused, Unreachable, Unreadable } from './failures.ts';

/** How a client calls. */
export interface SendOptions {
  readonly fetch: typeof fetch;
  /** Milliseconds that a call may take, with its tries and the waits between them. */
  readonly timeout: number;
  /** Milliseconds that are waited at most before one further try. */
  readonly patience: number;
}

/** One call, ready to be sent. */
export interface Outgoing<A> {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What no error may repeat; tickets are known by their shape. */
  readonly secrets: readonly string[];
  readonly answers: (body: unknown) => body is A;
}

const MOST_TRIES = 3;
/** Milliseconds before the second try where the server names none; doubled before the third. */
const FIRST_WAIT = 200;
const UNAVAILABLE = 503;

/** Nothing that a browser or a cache adds or keeps, and no other host is told what this one was sent. */
const BARE = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

function pause(wait: number, signal: AbortSignal): Promise<void> {
  // Who listens from now on is not told of what was given up before.
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

/** Whether an answer sends its caller elsewhere; browsers do not show the status of one that does. */
function isRedirection({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** One try: its value, or why there is none. */
async function tried<A>(
  outgoing: Outgoing<A>,
  { fetch }: SendOptions,
  signal: AbortSignal,
): Promise<{ value: A } | Refused | Unreachable> {
  const { method, url, headers, body, secrets, answers } = outgoing;
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
  if (response.ok) return { value: valueIn(text, answers) };
  return refusalIn(response, text, secrets, Date.now());
}

/** Milliseconds after which another try may succeed; nothing where none is to be made. */
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
 * Sends a call and gives its value. Only a GET is sent again, when the server is unavailable or gives no answer:
 * it changes nothing. A login that is sent twice makes two tickets, a logout that was carried out is refused the
 * second time.
 */
export async function send<A>(outgoing: Outgoing<A>, manner: SendOptions, given?: AbortSignal): Promise<A> {
  const deadline = AbortSignal.timeout(manner.timeout);
  const signal = given === undefined ? deadline : AbortSignal.any([deadline, given]);
  for (let next = 2; ; next += 1) {
    const outcome = await tried(outgoing, manner, signal);
    if ('value' in outcome) return outcome.value;
    const wait = outgoing.method === 'GET' ? waitBefore(next, outcome, manner) : undefined;
    if (wait === undefined) throw outcome;
    await pause(wait, signal);
  }
}
