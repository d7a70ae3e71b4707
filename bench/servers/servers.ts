import { once } from 'node:events';
import { get, type IncomingHttpHeaders } from 'node:http';
import { devNull } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/service/free-port.ts';
import { SEEDED_FOR } from '../seeding/tickets.ts';
import { type Child, start } from './processes.ts';

/** A server in its own process. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Milliseconds that a server may take to listen, and then to answer. */
const DEADLINE = 60_000;

const LISTENS = /listens on (\S+)\n/;

/** The absolute path of a file in this checkout. */
export const inCheckout = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Waits until a server listens, and ends it when it does not. */
async function listening(child: Child): Promise<Server> {
  try {
    const url = await child.said(LISTENS, DEADLINE);
    return { url, pid: child.pid, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
  } catch (error) {
    await child[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Starts Tessera from the checkout on a data folder, with metrics, a log line for each request and the settings for seeded
 * stores. `settings` add to these or replace them. The log goes to the file `output`.
 */
export async function startTessera(
  data: string,
  settings: Readonly<Record<string, string>> = {},
  output = devNull,
): Promise<Server> {
  const env = {
    TESSERA_DATA: data,
    TESSERA_PORT: '0',
    TESSERA_METRICS_PORT: String(await freePort()),
    TESSERA_LOG_LEVEL: 'info',
    ...SEEDED_FOR,
    ...settings,
  };
  return listening(start(inCheckout('bin/tessera'), ['serve'], { env, output }));
}

/** Starts a program that prints `listens on URL` when it is ready. */
export function startServer(
  command: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return listening(start(command, words, { env }));
}

/** Starts a server of `bench/bare/`. */
export function startBare(file: string, ...words: readonly string[]): Promise<Server> {
  return startServer(inCheckout('bin/node'), [inCheckout(`bench/bare/${file}`), ...words]);
}

/** The answer of a server. */
export interface Answered {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a GET on a new keep-alive connection. */
export async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
  const request = get(url, {
    agent: false,
    headers: { connection: 'keep-alive', ...headers },
    timeout: DEADLINE,
  });
  request.once('timeout', () => request.destroy(new Error(`no answer from ${url}`)));
  const [response] = await once(request, 'response');
  const body = await text(response);
  request.destroy();
  return { status: response.statusCode, headers: response.headers, body };
}
