import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { serve } from '../crash/serve.ts';
import { temporaryFolder } from '../service/start.ts';

/**
 * Clients in a thread of their own, until nothing listens any more. Each request comes on a new connection. It counts those that
 * were made and broke off without an answer.
 */
const CLIENTS = `
const { connect } = require('node:net');
const { parentPort, workerData: { port } } = require('node:worker_threads');
let answers = 0;
const ask = () => new Promise((done) => {
  let [isMade, text] = [false, ''];
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('connect', () => {
    isMade = true;
    socket.write('GET /portal/login HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n');
  });
  socket.on('data', (part) => { text += part; }).on('error', () => undefined).on('close', () => {
    if (text !== '' && ++answers === 200) parentPort.postMessage('enough');
    done({ isMade, isAnswered: text !== '' });
  });
});
const client = async () => {
  let cut = 0;
  for (;;) {
    const { isMade, isAnswered } = await ask();
    if (!isMade) return cut;
    if (!isAnswered) cut += 1;
  }
};
Promise.all(Array.from({ length: 32 }, client)).then((all) => parentPort.postMessage(all.reduce((sum, cut) => sum + cut)));
`;

test('workers that stop under new connections cut hardly one off that was made before', async (t) => {
  const STOPS = 4;
  let cut = 0;
  for (let stop = 0; stop < STOPS; stop += 1) {
    const service = serve(t, await temporaryFolder(t), {
      TESSERA_WORKERS: '2',
      TESSERA_CONNECTIONS_PER_ADDRESS: '1000',
    });
    const { port } = new URL(await service.url);
    const clients = new Worker(CLIENTS, { eval: true, workerData: { port: Number(port) } });
    await once(clients, 'message');
    const told = once(clients, 'message');
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
    const [count] = await told;
    t.diagnostic(`${count} were cut off`);
    cut += count;
    await clients.terminate();
  }
  assert.ok(cut < STOPS, `${cut} connections were cut off`);
});
