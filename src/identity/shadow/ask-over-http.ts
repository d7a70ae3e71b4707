import { Agent as PlainAgent, request as plainRequest, type RequestOptions } from 'node:http';
import { Agent, request } from 'node:https';

/** Bytes of an answer that are read. */
const LONGEST = 65_536;

/** An answer of the old server. */
export interface OldAnswer {
  readonly status: number;
  /** Its body, if that is JSON. */
  readonly body: unknown;
}

/** What is asked of the old server. */
export interface Question {
  readonly method: 'GET' | 'POST';
  /** Below its URL. */
  readonly path: string;
  readonly authorization?: string;
  readonly body?: string;
}

/** Where the old server is, and how it is asked. */
export interface Way {
  /** Such as `https://old.example.org/alfresco`. */
  readonly url: string;
  /** Certificates (PEM) that its own is checked against, in place of those that Node trusts. */
  readonly ca?: string | undefined;
  /** Milliseconds for one answer. */
  readonly deadline: number;
  /** Connections at a time. */
  readonly connections: number;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asks one server over kept connections. Its certificate is always checked, and no redirection is followed. */
export class OldServerLine {
  readonly #way: Way;
  readonly #agent: Agent | PlainAgent;

  constructor(way: Way) {
    this.#way = way;
    const kept = { keepAlive: true, maxSockets: way.connections };
    // Said outright, so that no variable of the environment can switch it off.
    const checked = { rejectUnauthorized: true, ...(way.ca !== undefined && { ca: way.ca }) };
    this.#agent = way.url.startsWith('https:') ? new Agent({ ...kept, ...checked }) : new PlainAgent(kept);
  }

  /** The answer; throws when there is none before the deadline. */
  async ask({ method, path, authorization, body }: Question): Promise<OldAnswer> {
    const { url, deadline } = this.#way;
    const headers = {
      accept: 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const options = { method, headers, agent: this.#agent, signal: AbortSignal.timeout(deadline) };
    const { promise, resolve, reject } = Promise.withResolvers<OldAnswer>();
    const asked = this.#send(new URL(url + path), options);
    asked.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('error', reject).on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > LONGEST) response.destroy(new Error('the answer is longer than 64 KiB'));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks).toString()) });
      });
    });
    // An answer of 101, which was not asked for: nobody listening, Node would tell of neither an answer nor an error.
    asked.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, body: undefined });
    });
    asked.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(url: URL, options: RequestOptions) {
    return url.protocol === 'https:' ? request(url, options) : plainRequest(url, options);
  }
}
