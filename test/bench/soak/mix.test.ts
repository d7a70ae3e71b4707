import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { PASSWORD } from '../../../bench/seeding/tickets.ts';
import { Mix } from '../../../bench/soak/mix.ts';

/** A service that gives out tickets and says of each whether it is live, and the load on it. */
async function mixOn(t: TestContext) {
  const live = new Set<string>();
  let issued = 0;
  const answerTo = async (request: IncomingMessage): Promise<[status: number, ticket?: string]> => {
    const body = await text(request);
    const [, ticket = ''] = /ticket=(\w+)/.exec(request.url ?? '') ?? [];
    if (request.method === 'DELETE') return [live.delete(ticket) ? 200 : 404];
    if (request.method === 'GET') return [live.has(ticket) ? 200 : 404];
    if (JSON.parse(body).password !== PASSWORD) return [403];
    issued += 1;
    live.add(`TICKET_${issued}`);
    return [200, `TICKET_${issued}`];
  };
  const server = createServer(async (request, response) => {
    const [status, ticket] = await answerTo(request);
    response.writeHead(status).end(JSON.stringify({ data: { ticket } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mix = new Mix([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
  t.after(() => {
    mix.close();
    server.closeAllConnections();
    server.close();
  });
  return { mix, live };
}

for (const tickets of [2, 5]) {
  test(`a load on ${tickets} live tickets leaves as many, and is what it says`, async (t) => {
    const { mix, live } = await mixOn(t);
    for (let number = 0; number < tickets; number += 1) await mix.logIn();
    for (let number = 0; number < 500; number += 1) await mix.next();
    assert.deepEqual(mix.faults, []);
    assert.deepEqual(mix.counts, {
      login: tickets + 10,
      logout: 10,
      'wrong password': 5,
      validation: 475,
    });
    assert.deepEqual([mix.tickets, live.size], [tickets, tickets]);
  });
}
