import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { CLIENTS_AT_PATH } from '../core/http/clients-at-path.ts';
import { temporaryFolder } from '../service/start.ts';
import { startTwo } from './two-workers.ts';

/** Asks by the socket at this path, on a new connection. */
async function ask(socketPath: string): Promise<number | undefined> {
  const headers = { host: 'localhost' };
  const sent = request({ socketPath, path: '/alfresco/service/api/server', headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('two workers share one Unix socket with its mode, answer clients by it, and take its path away at a stop', async (t) => {
  const path = join(await temporaryFolder(t), 'http.sock');
  const { child } = await startTwo(t, {
    TESSERA_HOST: `unix:${path}`,
    TESSERA_TRUSTED_PROXIES: 'unix:',
    TESSERA_SOCKET_MODE: '0620',
  });
  assert.equal((statSync(path).mode & 0o777).toString(8), '620');
  assert.equal(await ask(path), 200);
  const clients = new Worker(CLIENTS_AT_PATH, { eval: true, workerData: { path } });
  await once(clients, 'message');
  const told = once(clients, 'message');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  const [cut] = await told;
  // Of the sixteen that are under way: a worker closes what it has taken and not read yet.
  t.diagnostic(`${cut} were cut off`);
  assert.ok(cut <= 16, `${cut} were cut off`);
  assert.equal(existsSync(path), false);
  await clients.terminate();
});
