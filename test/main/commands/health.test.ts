import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/core/storage/store.ts';
import { UnrulyStore } from '../../core/http/unruly-store.ts';
import { run } from '../../faces/cli/command.ts';
import { freePort } from '../../service/free-port.ts';
import { startTestService } from '../../service/start.ts';

const health = (port: number, host = '127.0.0.1') =>
  run('tessera', ['health'], {
    env: { TESSERA_METRICS_PORT: String(port), TESSERA_METRICS_HOST: host },
  });

test('tessera health tells whether the service on this machine is ready, by its answer and its exit code', async (t) => {
  const port = await freePort();
  const unruly = new UnrulyStore();
  await startTestService(t, { TESSERA_METRICS_PORT: String(port) }, unruly.open);
  const ready = { stdout: 'ready\n', stderr: '', code: 0 };
  assert.deepEqual(await health(port), ready);
  assert.deepEqual(await health(port, '0.0.0.0'), ready);
  const withoutLogo = { TESSERA_METRICS_PORT: String(port), TESSERA_BRAND_LOGO: '/nowhere/logo.svg' };
  assert.deepEqual(await run('tessera', ['health'], { env: withoutLogo }), ready);

  unruly.readFault = new StoreUnavailable('the disk is gone');
  const { stdout, stderr, code } = await health(port);
  unruly.readFault = undefined;
  assert.deepEqual([stdout, code], ['', 1]);
  assert.match(stderr, /^not ready: /);
});

test('tessera health says that nothing answers, or that there is nothing to ask', async () => {
  const port = await freePort();
  assert.deepEqual(await health(port), {
    stdout: '',
    stderr: `no answer from http://127.0.0.1:${port}/health/ready: ECONNREFUSED\n`,
    code: 1,
  });
  assert.deepEqual(await health(0), {
    stdout: '',
    stderr: 'TESSERA_METRICS_PORT is 0, so nobody can be asked\n',
    code: 1,
  });
});
