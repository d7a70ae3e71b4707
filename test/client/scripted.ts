import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

/** One answer of a scripted server. `hang up` closes the connection; `say nothing` keeps it open. */
export type Scripted =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang up'
  | 'say nothing';

/** A received request. */
export interface Received {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that gives these answers in turn, repeats the last one, and records the requests. */
export async function scripted(
  t: TestContext,
  ...answers: readonly (Scripted | ((asked: Received) => Scripted))[]
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const asked = { line: `${method} ${url}`, headers, body: await text(request) };
    const answer = answers[Math.min(received.length, answers.length - 1)] as (typeof answers)[number];
    const scene = typeof answer === 'function' ? answer(asked) : answer;
    received.push(asked);
    if (scene === 'say nothing') return;
    if (scene === 'hang up') return void request.socket.destroy();
    response.writeHead(scene.status, scene.headers).end(scene.body ?? '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** An answer in json. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Scripted {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}
