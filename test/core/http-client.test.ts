import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { HttpClient } from '../../src/core/http-client.ts';

const GET = { method: 'GET', path: '/here?so=1' } as const;

async function listening(t: TestContext, handle: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function lineTo(t: TestContext, url: string, deadline = 20_000): HttpClient {
  const line = new HttpClient({ url, deadline, connections: 2, longest: 2_048 });
  t.after(() => line.close());
  return line;
}

test('questions one after another share a connection, which is let go when nobody asks any more', async (t) => {
  const { server, url } = await listening(t, (request, response) => void response.end(`"${request.url}"`));
  // The server would keep it longer than the test runs.
  server.keepAliveTimeout = 600_000;
  const connections: Socket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  const line = lineTo(t, `${url}/below`);
  for (let time = 0; time < 3; time += 1)
    assert.deepEqual(await line.ask(GET), { status: 200, body: '/below/here?so=1' });
  assert.equal(connections.length, 1);
  await once(connections[0] as Socket, 'close');
});

test('a connection that waits for an answer is not let go, however long that takes', async (t) => {
  const { url } = await listening(t, (_request, response) => void setTimeout(() => response.end('1'), 4_500));
  assert.deepEqual(await lineTo(t, url).ask(GET), { status: 200, body: 1 });
});

test('an answer is read up to the length that was said', async (t) => {
  let length = 2_048;
  const { url } = await listening(t, (_request, response) => void response.end('1'.padEnd(length)));
  const line = lineTo(t, url);
  assert.deepEqual(await line.ask(GET), { status: 200, body: 1 });
  length += 1;
  await assert.rejects(line.ask(GET), { message: 'the answer is longer than 2 KiB' });
});

test('what is no JSON is no body', async (t) => {
  const { url } = await listening(t, (_request, response) => void response.writeHead(502).end('<p>Bad'));
  assert.deepEqual(await lineTo(t, url).ask(GET), { status: 502, body: undefined });
});

test('an answer that does not come, or not whole, before the deadline is told as that', async (t) => {
  const { url } = await listening(t, ({ url: target }, response) => {
    if (target !== '/here?so=1') response.writeHead(200).write('{');
  });
  const line = lineTo(t, url, 200);
  for (const path of [GET.path, '/begun'])
    await assert.rejects(line.ask({ ...GET, path }), { message: 'no answer in 200 ms' });
});

test('of a server with several addresses, none of which answers, each is told', async (t) => {
  const { server, url } = await listening(t, () => undefined);
  server.close();
  await once(server, 'close');
  const { port } = new URL(url);
  const lookup = t.mock.method(dns, 'lookup', both);
  await assert.rejects(lineTo(t, `http://twice.test:${port}`).ask(GET), {
    message: `connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`,
  });
  assert.equal(lookup.mock.callCount(), 1);
});

/** Replaces a name server that knows two addresses. */
function both(_name: string, _options: object, done: (error: null, found: object[]) => void): void {
  done(
    null,
    ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
  );
}
