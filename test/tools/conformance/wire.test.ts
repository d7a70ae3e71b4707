import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { exchange } from '../../../conformance/player/wire.ts';

/** A server that answers each request with the stream of `body`. */
async function endless(t: TestContext, body: () => Readable): Promise<URL> {
  const server: Server = createServer((_, response) => void body().pipe(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function ask(base: URL, deadline: number) {
  const bases = { scripts: base, v1: base, host: base };
  return exchange({ ask: 'GET /' }, { bases, deadline, onAnswer: () => undefined }, {});
}

async function* drip() {
  for (;;) {
    yield 'x';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function* flood() {
  for (;;) yield 'x'.repeat(100_000);
}

test('an answer that comes byte by byte and never ends is no answer', async (t) => {
  const server = await endless(t, () => Readable.from(drip()));
  await assert.rejects(ask(server, 300), { message: 'No whole answer within 300 ms' });
});

test('an endless answer is read up to 4 MiB', async (t) => {
  const server = await endless(t, () => Readable.from(flood()));
  await assert.rejects(ask(server, 60_000), /longer than 4194304 bytes/);
});

test('an answer with status 101 is no answer', async (t) => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await assert.rejects(ask(base, 5_000), { message: /101/ });
});
