import assert from 'node:assert/strict';
import { Server } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { ResponseWriter } from '../../../../src/core/http/http-request.ts';
import { listen } from '../../../../src/core/http/listen.ts';
import { takePlain } from '../../../../src/core/http/plain/connection.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { Connection } from '../connection.ts';

const OK = {
  status: 200,
  headers: ['Content-Length', '2'],
  text: 'ok',
  encoding: 'latin1',
  isLast: false,
} as const;
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server that gives plain requests to `onRequest` with short deadlines, and the connections without a request. */
async function serve(
  t: TestContext,
  onRequest: (writer: ResponseWriter) => void,
  patience: { deadline: number; keepAlive: number },
) {
  const server = new Server();
  let silent = 0;
  takePlain(server, {
    admits: () => true,
    nextRequestId: () => 'id',
    onRequest: (_request, writer) => onRequest(writer),
    onLeft: () => assert.fail('left to Node'),
    onSilent: (socket) => {
      silent += 1;
      socket.destroy();
    },
    ...patience,
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0, setting: '' });
  afterwards(t, () => new Promise<void>((closed) => server.close(() => closed())));
  afterwards(t, () => server.closeAllConnections());
  return { server, client: await Connection.open(url), silent: () => silent };
}

test('a connection without a first request is reported, and one that was answered is closed', async (t) => {
  const never = await serve(t, () => assert.fail('asked'), { deadline: 20, keepAlive: 60_000 });
  await never.client.untilClosed();
  assert.equal(never.silent(), 1);

  const idle = await serve(t, (writer) => writer.write(OK), { deadline: 60_000, keepAlive: 20 });
  idle.client.say(REQUEST);
  assert.match(await idle.client.untilClosed(), /\r\n\r\nok$/);
  assert.equal(idle.silent(), 0);
});

test('a request that takes long is answered all the same', async (t) => {
  const { client } = await serve(t, (writer) => setTimeout(() => writer.write(OK), 100), {
    deadline: 20,
    keepAlive: 20,
  });
  client.say(REQUEST);
  assert.match(await client.untilClosed(), /\r\n\r\nok$/);
});

test('a stop closes idle connections, and one that waits for an answer gets it', async (t) => {
  const writers: ResponseWriter[] = [];
  const { server, client } = await serve(t, (writer) => writers.push(writer), {
    deadline: 60_000,
    keepAlive: 60_000,
  });
  client.say(REQUEST);
  while (writers.length === 0) await new Promise(setImmediate);
  server.closeIdleConnections();
  writers[0]?.write(OK);
  await client.until(/\r\n\r\nok$/);
  server.closeIdleConnections();
  assert.match(await client.untilClosed(), /\r\n\r\nok$/);
});

test('a request can be answered only once', async (t) => {
  const faults: unknown[] = [];
  const twice = (writer: ResponseWriter) => {
    writer.write(OK);
    try {
      writer.write(OK);
    } catch (fault) {
      faults.push(fault);
    }
  };
  const { client } = await serve(t, twice, { deadline: 60_000, keepAlive: 20 });
  client.say(REQUEST);
  assert.match(await client.untilClosed(), /^HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\nok$/);
  assert.equal(faults.length, 1);
});

test('closing all connections also closes one whose plain request is being answered', async (t) => {
  const { server, client } = await serve(t, () => server.closeAllConnections(), {
    deadline: 60_000,
    keepAlive: 60_000,
  });
  client.say(REQUEST);
  assert.equal(await client.untilClosed(), '');
});

test('a request that was handed to Node may take longer than the deadline of a first request', async (t) => {
  const server = new Server((_request, response) => setTimeout(() => response.end('late'), 200));
  takePlain(server, {
    admits: () => true,
    nextRequestId: () => 'id',
    onRequest: () => assert.fail('taken as plain'),
    onLeft: () => undefined,
    onSilent: (socket) => socket.destroy(),
    deadline: 100,
    keepAlive: 100,
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0, setting: '' });
  afterwards(t, () => server.closeAllConnections());
  afterwards(t, () => void server.close());
  const client = await Connection.open(url);
  client.say('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await client.untilClosed(), /late$/);
});
