import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync } from 'node:fs';
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

/** Connections that are cut off on a busy machine, of sixteen that are under way. */
const HARDLY_ANY = 4;

// `node:cluster` binds the path from the working folder if that is shorter.
for (const where of ['far from it', 'beside it'] as const)
  test(`two workers that were started ${where} share one Unix socket with its mode, and a stop takes its path away and cuts hardly a client off`, async (t) => {
    const folder = await temporaryFolder(t);
    const path = join(folder, 'http.sock');
    const far = join(folder, 'a', 'folder', 'with', 'a', 'long', 'way', 'to', 'the', 'socket');
    mkdirSync(far, { recursive: true });
    const settings = {
      TESSERA_HOST: `unix:${path}`,
      TESSERA_TRUSTED_PROXIES: 'unix:',
      TESSERA_SOCKET_MODE: '0620',
    };
    const { child } = await startTwo(t, settings, where === 'beside it' ? folder : far);
    assert.equal((statSync(path).mode & 0o777).toString(8), '620');
    assert.equal(await ask(path), 200);
    const clients = new Worker(CLIENTS_AT_PATH, { eval: true, workerData: { path } });
    await once(clients, 'message');
    const told = once(clients, 'message');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    const [cut] = await told;
    t.diagnostic(`${cut} were cut off`);
    assert.ok(cut < HARDLY_ANY, `${cut} were cut off`);
    assert.equal(existsSync(path), false);
    await clients.terminate();
  });
