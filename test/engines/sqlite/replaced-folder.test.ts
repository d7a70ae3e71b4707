import assert from 'node:assert/strict';
import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../crash/serve.ts';
import { tesseraOn } from '../../faces/cli/command.ts';
import { freePort } from '../../service/free-port.ts';
import { temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';

for (const workers of ['1', '2'])
  test(`a data folder that is swapped under a live service lets no ticket through, with ${workers} processes`, async (t) => {
    const parent = await temporaryFolder(t);
    const [data, old, fresh] = ['data', 'old', 'new'].map((name) => join(parent, name)) as [
      string,
      string,
      string,
    ];
    const metricsPort = await freePort();
    const { url, kill, ended } = serve(t, data, {
      TESSERA_WORKERS: workers,
      TESSERA_METRICS_PORT: String(metricsPort),
    });
    const ticket = await logIn(await url);
    const statusOf = async (address: string, init: RequestInit = {}) => (await fetch(address, init)).status;
    const gate = async () =>
      statusOf(`${await url}/gate`, { headers: { authorization: `Bearer ${ticket}` } });
    const ready = () => statusOf(`http://127.0.0.1:${metricsPort}/health/ready`);
    await until('the service is ready', async () => (await ready()) === 200);
    assert.equal(await gate(), 204);
    cpSync(data, fresh, { recursive: true });
    renameSync(data, old);
    renameSync(fresh, data);
    const tessera = tesseraOn(data);
    await tessera('users disable admin');
    await tessera('tickets revoke --all');
    // Each worker checks for itself: several requests reach them all.
    const several = () => Promise.all(Array.from({ length: 8 }, gate));
    await until('the gate refuses', async () => (await several()).every((status) => status === 503));
    await until('the service is not ready', async () => (await ready()) === 503);
    renameSync(data, fresh);
    renameSync(old, data);
    await until('the right folder is used again', async () => (await ready()) === 200);
    await until('the gate lets through', async () => (await several()).every((status) => status === 204));
    kill('SIGTERM');
    assert.equal((await ended).code, 0);
  });
