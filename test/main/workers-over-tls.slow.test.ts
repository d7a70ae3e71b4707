import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { certificateFiles, tlsSettings } from '../service/certified.ts';
import { temporaryFolder } from '../service/start.ts';
import { until } from '../service/until.ts';
import { serve } from './first-start/serve.ts';

/** How often any worker loaded the certificate again. */
const loads = (log: string) => log.split('certificate loaded').length - 1;

async function certificateAt(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

test('SIGHUP and a change of the files make every worker load the certificate', {
  timeout: 120_000,
}, async (t) => {
  const cwd = await temporaryFolder(t);
  const [first, second] = [certificateFiles(t), certificateFiles(t)];
  const own = { ca: '', cert: join(cwd, 'cert'), key: join(cwd, 'key') };
  copyFileSync(first.cert, own.cert);
  copyFileSync(first.key, own.key);
  const service = serve(t, { cwd, env: { TESSERA_WORKERS: '2', ...tlsSettings(own) } });
  const url = await service.url;
  await until('both workers have started', () => service.log().split('"listening"').length - 1 === 2);
  const before = await certificateAt(url);
  service.kill('SIGHUP');
  await until('both workers have loaded it again', () => loads(service.log()) === 2);
  assert.equal(await certificateAt(url), before);

  copyFileSync(second.cert, own.cert);
  copyFileSync(second.key, own.key);
  await until('both workers have loaded the new one', () => loads(service.log()) === 4);
  const served = await Promise.all(Array.from({ length: 6 }, () => certificateAt(url)));
  assert.equal(new Set([before, ...served]).size, 2);
  assert.ok(!served.includes(before));
});

test('workers on other addresses than loopback warn of plain HTTP once', { timeout: 120_000 }, async (t) => {
  const cwd = await temporaryFolder(t);
  const service = serve(t, { cwd, env: { TESSERA_WORKERS: '2', TESSERA_HOST: '0.0.0.0' } });
  await service.url;
  await until('both workers have started', () => service.log().split('"listening"').length - 1 === 2);
  assert.equal(service.log().split('cross the network openly').length - 1, 1);
});
