import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { HttpRequest, ResponseWriter } from '../../../../src/core/http/http-request.ts';
import { listen } from '../../../../src/core/http/listen.ts';
import {
  type OnBytes,
  PlainConnection,
  readInPlace,
  takePlain,
} from '../../../../src/core/http/plain/connection.ts';
import { afterwards } from '../../../service/afterwards.ts';
import { until } from '../../../service/until.ts';
import { Connection } from '../connection.ts';

/** A server that gives each connection to `onAccepted`, and a client's end of one. */
async function accept(t: TestContext, onAccepted: (accepted: Socket) => void) {
  const server = new Server();
  server.removeAllListeners('connection').on('connection', onAccepted);
  const url = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'TESSERA_PORT' }));
  const client = connect(Number(url.port), url.hostname);
  afterwards(t, () => {
    client.destroy();
    server.close();
  });
  return { server, client };
}

const open = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((fault, count) => (fault ? reject(fault) : resolve(count))),
  );

test('on this Node the bytes of an accepted connection are read in place, each connection on its own', async (t) => {
  const heard = Promise.withResolvers<string>();
  let text = '';
  const take: OnBytes = (bytes) => {
    text += bytes.toString('latin1');
    if (text.endsWith('.')) heard.resolve(text);
    return true;
  };
  let socket: Socket | undefined;
  const { server, client } = await accept(t, (accepted) => {
    socket = readInPlace(accepted, take);
    socket?.resume();
  });
  client.write('in one piece.');
  assert.equal(await heard.promise, 'in one piece.');
  assert.equal(await open(server), 1);
  socket?.end('heard');
  assert.equal(String((await once(client, 'data'))[0]), 'heard');
  client.end();
  await once(socket as Socket, 'close');
  assert.equal(await open(server), 0);
});

test('if a Node lacks what this needs, all connections are handed to it', async (t) => {
  const server = new Server((_request, response) => response.end('by Node'));
  let left = 0;
  takePlain(server, {
    admits: () => true,
    nextRequestId: () => 'id',
    onRequest: () => assert.fail('taken as plain'),
    onLeft: () => {
      left += 1;
    },
    onSilent: () => assert.fail('silent'),
    deadline: 10_000,
    keepAlive: 10_000,
  });
  server.prependListener('connection', (socket: Socket) => {
    Reflect.set(Reflect.get(socket, '_handle'), 'useUserBuffer', undefined);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0, setting: 'TESSERA_PORT' });
  afterwards(t, () => void server.close());
  const client = await Connection.open(url);
  client.say('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await client.untilClosed(), /by Node$/);
  assert.equal(left, 1);
});

test('a connection that is closed while more bytes wait is not handed to Node after the answer', async (t) => {
  const asked = Promise.withResolvers<ResponseWriter>();
  const parts = {
    nextRequestId: () => 'id',
    onRequest: (_request: HttpRequest, writer: ResponseWriter) => asked.resolve(writer),
    onLeft: () => undefined,
    onSilent: () => undefined,
    admits: () => true,
    deadline: 60_000,
    keepAlive: 60_000,
  };
  let left = 0;
  const accepted = Promise.withResolvers<[Socket, PlainConnection]>();
  const { client } = await accept(t, (raw) => {
    const socket = readInPlace(raw, (bytes) => connection.take(bytes)) ?? assert.fail('not read in place');
    const connection = new PlainConnection(socket, parts, () => {
      left += 1;
    });
    accepted.resolve([socket, connection]);
  });
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const writer = await asked.promise;
  const [socket, connection] = await accepted.promise;
  client.write('more');
  await until('the bytes are held back', () => socket.isPaused());
  connection.cut();
  await once(socket, 'close');
  writer.write({ status: 200, headers: [], text: 'late', encoding: 'latin1', isLast: false });
  assert.equal(left, 0);
});
