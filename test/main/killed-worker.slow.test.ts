import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { serve } from '../crash/serve.ts';
import { childrenOf } from '../service/children.ts';
import { freePort } from '../service/free-port.ts';
import { temporaryFolder } from '../service/start.ts';
import { until } from '../service/until.ts';

/** The service with two workers that are ready. */
async function startTwo(t: TestContext) {
  const metricsPort = String(await freePort());
  const settings = { TESSERA_WORKERS: '2', TESSERA_METRICS_PORT: metricsPort };
  const { url, pid } = serve(t, await temporaryFolder(t), settings);
  const isReady = async () => (await fetch(`http://127.0.0.1:${metricsPort}/health/ready`)).status === 200;
  const { hostname, port } = new URL(await url);
  await until('both workers are ready', isReady);
  return { hostname, port: Number(port), pid, isReady };
}

/** A connection with one request, and how it ended. */
interface Asked {
  answer: string;
  isClosed: boolean;
}

function askOnce(t: TestContext, { hostname, port }: { hostname: string; port: number }): Asked {
  const asked: Asked = { answer: '', isClosed: false };
  const socket = connect(port, hostname);
  t.after(() => socket.destroy());
  socket.setEncoding('utf8').on('data', (text: string) => {
    asked.answer += text;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    asked.isClosed = true;
  });
  socket.write('GET /api/server HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return asked;
}

test('a connection that was sent to a worker and not taken is closed when the worker is killed', async (t) => {
  const service = await startTwo(t);
  const [worker = Number.NaN] = childrenOf(service);
  process.kill(worker, 'SIGSTOP');
  const asked = Array.from({ length: 4 }, () => askOnce(t, service));
  const open = () => asked.filter(({ isClosed }) => !isClosed);
  await until('the other worker has answered the rest', () => open().length === 1);
  process.kill(worker, 'SIGKILL');
  await until('the last connection is closed', () => open().length === 0);
  assert.equal(asked.filter(({ answer }) => answer.startsWith('HTTP/1.1 200')).length, 3);
});

test('while workers are killed every connection is answered or closed', async (t) => {
  const service = await startTwo(t);
  const asked: Asked[] = [];
  for (const which of [0, 1, 0]) {
    for (let number = 0; number < 60; number += 1) {
      asked.push(askOnce(t, service));
      if (number % 4 === 0) await turn();
      if (number === 30) process.kill(childrenOf(service)[which] as number, 'SIGKILL');
    }
    await until('every connection is closed', () => asked.every(({ isClosed }) => isClosed));
    await until('both workers are ready', service.isReady);
  }
  const answered = asked.filter(({ answer }) => answer.startsWith('HTTP/1.1 200')).length;
  assert.ok(answered > asked.length / 2, `${answered} of ${asked.length} were answered`);
});
