import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '../../core/http/connection.ts';
import { serve } from '../../crash/serve.ts';
import { freePort } from '../../service/free-port.ts';
import { startTestService, temporaryFolder } from '../../service/start.ts';
import { eventually, until } from '../../service/until.ts';

const ASKED = 'GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n';

const ANSWER = 'HTTP/1.1 200 ';

/** Asks on a connection, and returns whether it stays open behind the answer. `asked` is how often it was asked before. */
async function staysOpen(connection: Connection, asked: number): Promise<boolean> {
  connection.say(ASKED);
  const heard = await connection.untilIt(
    (all) => all.split(ANSWER).length === asked + 2 && all.endsWith('}}'),
  );
  return !/^connection: close/im.test(heard.slice(heard.lastIndexOf(ANSWER)));
}

test('at SIGTERM the service says that it is not ready, and takes connections for the delay that is set', async (t) => {
  const metricsPort = await freePort();
  const service = serve(t, await temporaryFolder(t), {
    TESSERA_METRICS_PORT: String(metricsPort),
    TESSERA_STOP_DELAY: 'PT1H',
    TESSERA_HOSTS: 'x,127.0.0.1',
  });
  const url = await service.url;
  const ready = () => fetch(`http://127.0.0.1:${metricsPort}/health/ready`);
  assert.equal((await ready()).status, 200);
  service.kill('SIGTERM');
  await until('it is not ready', async () => (await ready()).status === 503);
  assert.equal(await staysOpen(await Connection.open(url), 0), true);
});

test('a drained service takes no new connections, answers on the open ones and closes them one by one', async (t) => {
  const service = await startTestService(t);
  const connections = [await Connection.open(service.url), await Connection.open(service.url)];
  for (const connection of connections) assert.equal(await staysOpen(connection, 0), true);
  const draining = service.drain();
  await eventually(async () => {
    await assert.rejects(Connection.open(service.url), { code: 'ECONNREFUSED' });
  });
  for (const connection of connections) {
    let asked = 1;
    while (await staysOpen(connection, asked)) asked += 1;
    await connection.untilClosed();
  }
  await draining;
});
