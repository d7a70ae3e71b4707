import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../service/free-port.ts';
import { startTestService } from '../../service/start.ts';

/** Whether anybody answers there. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Leaves the test out where nobody can listen at this address: not every machine has IPv6, or more than one address. */
async function skipUnlessThere(t: TestContext, host: string): Promise<boolean> {
  const server = createServer().listen(0, host);
  const why = await once(server, 'listening').then(
    () => undefined,
    ({ message }: Error) => message,
  );
  server.close();
  if (why === undefined) return true;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(`nobody can listen at ${host}: ${why}`);
  t.skip(`nobody can listen at ${host}: ${why}; TESSERA_TEST_ALL=1 makes that a failure`);
  return false;
}

for (const [host, shown] of [
  ['127.0.0.2', '127.0.0.2'],
  ['::1', '[::1]'],
] as const) {
  test(`with TESSERA_HOST and TESSERA_METRICS_HOST at ${host} the service is there and nowhere else`, async (t) => {
    if (!(await skipUnlessThere(t, host))) return;
    const { url, metricsUrl } = await startTestService(t, {
      TESSERA_HOST: host,
      TESSERA_PORT: String(await freePort()),
      TESSERA_METRICS_HOST: host,
      TESSERA_METRICS_PORT: String(await freePort()),
    });
    for (const [place, path] of [
      [url, '/api/server'],
      [String(metricsUrl), '/health/live'],
    ] as const) {
      const { hostname, port } = new URL(place);
      assert.equal(hostname, shown);
      assert.equal((await fetch(`${place}${path}`)).status, 200);
      assert.equal(await answers(`http://127.0.0.1:${port}${path}`), false);
    }
  });
}
