import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** How long an instance may take for an answer: longer than all its own deadlines together. */
const DEADLINE = 20_000;

/** An answer of an instance. */
export interface Answer {
  readonly status: number;
  /** Whether it says when to come again. */
  readonly retryAfter: boolean;
  readonly text: string;
  /** What its `Date` says, in epoch milliseconds. */
  readonly date: number;
}

/** What to ask for. */
export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address that the question comes from. */
  readonly from?: string | undefined;
}

/** Asks one instance over connections that are kept alive; nothing where there was no answer in time. */
export class Line {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256, scheduling: 'fifo' });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  get url(): string {
    return this.#url.origin;
  }

  async ask({ method = 'GET', path, body, headers, from }: Question): Promise<Answer | undefined> {
    const { hostname, port } = this.#url;
    const sent = request({
      hostname,
      port,
      path,
      method,
      agent: this.#agent,
      signal: AbortSignal.timeout(DEADLINE),
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      ...(from !== undefined && { localAddress: from }),
    });
    try {
      return await new Promise<Answer>((resolve, reject) => {
        sent.once('error', reject).once('response', (response) => {
          const { statusCode = 0, headers: got } = response;
          const retryAfter = Number(got['retry-after']) > 0;
          const date = Date.parse(got.date ?? '');
          text(response).then(
            (whole) => resolve({ status: statusCode, retryAfter, text: whole, date }),
            reject,
          );
        });
        sent.end(body);
      });
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}
