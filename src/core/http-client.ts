import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';

/** An answer of the other server. */
export interface RemoteAnswer {
  readonly status: number;
  /** For how long the answer may be used again, as the server has it. */
  readonly cacheControl?: string;
  /** Its body, if that is JSON. */
  readonly body: unknown;
}

/** A request to the other server. */
export interface RemoteRequest {
  readonly method: 'GET' | 'POST';
  /** The path below its URL, with the query. */
  readonly path: string;
  readonly authorization?: string;
  readonly body?: string;
  /** The media type of the body, if it is not JSON. */
  readonly contentType?: string;
}

/** The address of the server, and limits for its answers. */
export interface HttpClientOptions {
  /** Such as `https://old.example.org/alfresco`. */
  readonly url: string;
  /** Certificates (PEM) to check the server against, in place of the ones that Node trusts. */
  readonly ca?: string | undefined;
  /** Finds the addresses of its host, in place of the system. */
  readonly lookup?: LookupFunction | undefined;
  /** Milliseconds for one answer. */
  readonly deadline: number;
  /** Most connections at a time. */
  readonly connections: number;
  /** Most bytes to read of an answer. A longer answer is a fault. */
  readonly longest: number;
}

/** Milliseconds to keep an unused connection. Servers keep theirs longer, so none closes one while it is used. */
const KEPT = 4_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error's message. For a name with several addresses Node gives one error for each and no message of its own. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ');
  return (error as Error).message;
}

/**
 * Sends requests to one server and keeps the connections. It always checks the certificate and follows no redirection,
 * whatever the environment variables say.
 */
export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #agent: Agent | PlainAgent;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    const { lookup } = options;
    const pooling = {
      keepAlive: true,
      maxSockets: options.connections,
      timeout: KEPT,
      ...(lookup && { lookup }),
    };
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch the check off.
    const checked = { rejectUnauthorized: true, ...(options.ca !== undefined && { ca: options.ca }) };
    this.#agent = options.url.startsWith('https:')
      ? new Agent({ ...pooling, ...checked })
      : new PlainAgent(pooling);
  }

  /**
   * Sends the request and returns the answer. Throws an error whose message says why no answer came before the
   * deadline.
   */
  async ask(remoteRequest: RemoteRequest): Promise<RemoteAnswer> {
    const { deadline } = this.#options;
    const signal = AbortSignal.timeout(deadline);
    const { promise, resolve, reject } = Promise.withResolvers<RemoteAnswer>();
    const fail = (error: unknown) => {
      const why = signal.aborted ? `no answer in ${deadline} ms` : wordsOf(error);
      reject(new Error(why, { cause: error }));
    };
    const outgoing = this.#send(remoteRequest, signal);
    outgoing.on('error', fail);
    outgoing.on('response', (response) => {
      this.#read(response).then(resolve, fail);
    });
    // The server answered 101 without being asked to. Without this listener Node would report neither an answer nor
    // an error.
    outgoing.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, body: undefined });
    });
    outgoing.end(remoteRequest.body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    { method, path, authorization, body, contentType = 'application/json' }: RemoteRequest,
    signal: AbortSignal,
  ): ClientRequest {
    const url = new URL(this.#options.url + path);
    const headers = {
      accept: 'application/json',
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && {
        'content-type': contentType,
        'content-length': Buffer.byteLength(body),
      }),
    };
    const options = { method, headers, agent: this.#agent, signal };
    return url.protocol === 'https:' ? request(url, options) : plainRequest(url, options);
  }

  async #read(response: IncomingMessage): Promise<RemoteAnswer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response) {
      length += chunk.length;
      if (length > this.#options.longest)
        throw new Error(`the answer is longer than ${this.#options.longest / 1_024} KiB`);
      chunks.push(chunk);
    }
    const { statusCode: status = 0, headers } = response;
    const cacheControl = headers['cache-control'];
    const body = parsed(Buffer.concat(chunks).toString());
    return { status, body, ...(cacheControl !== undefined && { cacheControl }) };
  }
}
