import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { listen, listenNoMore, untilUsedUp } from '../../../src/core/http/listen.ts';

const HERE = { host: '127.0.0.1', port: 0, setting: 'TESSERA_PORT' };

/** Clients in a thread of their own. Each request comes on a new connection. It counts those that were reset after they were made. */
const CLIENTS = `
const { connect } = require('node:net');
const { parentPort, workerData: { port } } = require('node:worker_threads');
let stopped = false;
const ask = () => new Promise((done) => {
  let isMade = false;
  let isReset = false;
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => {
    isMade = true;
    socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n');
  });
  socket.on('error', () => { isReset = isMade; }).on('close', () => done(isReset)).resume();
});
const client = async () => {
  let resets = 0;
  while (!stopped) {
    if (await ask()) resets += 1;
    await new Promise((resolve) => setTimeout(resolve, 10 * Math.random()));
  }
  return resets;
};
parentPort.once('message', () => { stopped = true; });
const clients = Promise.all(Array.from({ length: 16 }, client));
clients.then((all) => parentPort.postMessage(all.reduce((sum, resets) => sum + resets)));
`;

/** Does nothing else for so many milliseconds, as a busy service does. */
function burn(length: number): void {
  const until = performance.now() + length;
  while (performance.now() < until);
}

/** How many connections were reset when a busy server, to which many new connections come, stopped to listen. */
async function resetsOfOneStop(): Promise<number> {
  let answered = 0;
  const enough = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    burn(1);
    response.end();
    answered += 1;
    if (answered === 100) enough.resolve();
  });
  await listen(server, HERE);
  const { port } = server.address() as AddressInfo;
  const clients = new Worker(CLIENTS, { eval: true, workerData: { port } });
  await enough.promise;
  const closed = once(server, 'close');
  await listenNoMore(server);
  await closed;
  const told = once(clients, 'message');
  clients.postMessage('stop');
  const [resets] = await told;
  await clients.terminate();
  return resets;
}

test('a busy server that takes no more connections resets hardly one that was made before', async () => {
  const STOPS = 4;
  let resets = 0;
  for (let stop = 0; stop < STOPS; stop += 1) resets += await resetsOfOneStop();
  assert.ok(resets < STOPS, `${resets} connections were reset`);
});

/** Connections that are kept open to a server which is about to close each after its next answer. */
async function openTo(server: Server, count: number): Promise<Socket[]> {
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').resume());
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

test('connections are left to their clients while these use them up, and are given up once none is used', async () => {
  const server = createServer((_, response) => response.setHeader('connection', 'close').end());
  await listen(server, HERE);
  const [unused, ...used] = (await openTo(server, 5)) as [Socket, ...Socket[]];
  await listenNoMore(server);
  let left = used.length;
  const waiting = untilUsedUp(server).then(() => left);
  for (const socket of used) {
    await pause(500);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
    left -= 1;
  }
  assert.equal(await waiting, 0);
  assert.equal(unused.destroyed, false);
  unused.destroy();
});
