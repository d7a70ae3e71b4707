import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { exchange } from '../../core/http/scenario.ts';

/** An answer that the proxy may change. */
export interface Passing {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Changes the answer to a request. */
export type Spoil = (answer: Passing, asked: IncomingMessage) => void | Promise<void>;

/** A proxy in front of a right server. It changes answers by `spoil`, and the request line by `reads`. */
export async function spoiledServer(
  t: TestContext,
  url: string,
  spoil: Spoil,
  reads: (line: string) => string = (line) => line,
): Promise<string> {
  const server = createServer(async (asked, response) => {
    const body = await buffer(asked);
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = asked.headers;
    const line = reads(`${asked.method} ${asked.url}`);
    const sent = asked.method === 'GET' ? { headers } : { headers, body };
    const received = await exchange(url, line, sent).catch(() => undefined);
    if (received === undefined) return void response.destroy();
    const answer: Passing = {
      status: received.status,
      headers: { ...received.headers },
      text: received.text,
    };
    for (const name of ['content-length', 'transfer-encoding', 'connection', 'date'])
      delete answer.headers[name];
    await spoil(answer, asked);
    response.writeHead(answer.status, answer.headers).end(asked.method === 'HEAD' ? undefined : answer.text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers every login of a user with the same live ticket, as newer releases of the reference do. */
export function oneTicketAUser(url: string): Spoil {
  const given = new Set<string>();
  return async (answer) => {
    const fresh = /TICKET_[0-9a-f]{40}/.exec(answer.text)?.[0];
    if (fresh === undefined || given.has(fresh)) return;
    const headers = { authorization: `Basic ${btoa(`ROLE_TICKET:${fresh}`)}` };
    for (const ticket of given) {
      const { status } = await exchange(url, `GET /api/login/ticket/${ticket}`, { headers });
      // Only a live ticket of the same user is valid here.
      if (status !== 200) continue;
      answer.text = answer.text.replaceAll(fresh, ticket);
      return;
    }
    given.add(fresh);
  };
}
