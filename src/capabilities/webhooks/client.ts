import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { VERSION } from '../../core/version.ts';
import type { ReceiverConfiguration } from './load.ts';
import { signedHeaders, type WebhookMessage } from './message.ts';

/** The outcome of one attempt. */
export interface WebhookAnswer {
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  /** How long the receiver asks to wait, in milliseconds (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** Why the message was not taken; undefined if it was. */
  readonly fault: string | undefined;
}

/** Most bytes of an answer that are read, so that its connection can be used again. */
const MOST_READ = 65_536;
/** Milliseconds to keep an unused connection. Receivers keep theirs longer, so none closes one while it is used. */
const KEPT = 4_000;

/** The `Retry-After` of an answer, in milliseconds: it has seconds or a date (RFC 9110 section 10.2.3). */
function retryAfterIn(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** The error's message. For a name with several addresses Node gives one error for each and no message of its own. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ');
  return (error as Error).message;
}

/** Reads the rest of an answer, up to a limit. */
function readOut(response: IncomingMessage): void {
  let length = 0;
  response.on('data', ({ length: more }: Buffer) => {
    length += more;
    if (length > MOST_READ) response.destroy();
  });
  // The answer counts already.
  response.on('error', () => undefined);
}

/** Sends messages to one receiver and keeps the connections. It always checks the certificate, and follows no redirection. */
export class WebhookClient {
  readonly #configuration: ReceiverConfiguration;
  readonly #clock: () => number;
  readonly #agent: Agent | PlainAgent;

  /** `connections` is how many messages may be on their way at a time. */
  constructor(configuration: ReceiverConfiguration, connections: number, clock: () => number) {
    this.#configuration = configuration;
    this.#clock = clock;
    const pooling = { keepAlive: true, maxSockets: connections, timeout: KEPT };
    const { ca } = configuration;
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch the check off.
    const checked = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
    this.#agent = configuration.url.startsWith('https:')
      ? new Agent({ ...pooling, ...checked })
      : new PlainAgent(pooling);
  }

  /** Sends the message once. Never rejects. `stopped` ends the attempt early. */
  async send(message: WebhookMessage, stopped?: AbortSignal): Promise<WebhookAnswer> {
    const { deadline } = this.#configuration;
    const late = AbortSignal.timeout(deadline);
    try {
      const response = await this.#post(message, stopped ? AbortSignal.any([late, stopped]) : late);
      const { statusCode: status = 0, headers } = response;
      readOut(response);
      const taken = status >= 200 && status <= 299;
      const retryAfter = retryAfterIn(headers['retry-after'], this.#clock());
      return { status, retryAfter, fault: taken ? undefined : `answered ${status}` };
    } catch (error) {
      const fault = late.aborted ? `no answer in ${deadline} ms` : wordsOf(error);
      return { status: undefined, retryAfter: undefined, fault };
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(message: WebhookMessage, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, secrets } = this.#configuration;
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(message.body),
      'user-agent': `Tessera/${VERSION}`,
      ...signedHeaders(message, secrets, this.#clock()),
    };
    const options = { method: 'POST', headers, agent: this.#agent, signal };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = url.startsWith('https:') ? request(url, options) : plainRequest(url, options);
    sent.on('response', resolve);
    sent.on('error', reject);
    // A receiver that switches protocols took nothing.
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new Error(`answered ${statusCode}`));
    });
    sent.end(message.body);
    return promise;
  }
}
