import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../service/free-port.ts';
import { startTestService } from '../../../service/start.ts';

/** Whether something answers at this address. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Skips the test if the machine cannot listen at this address: not every machine has IPv6, or several addresses. */
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

test('at a name of several addresses the service is at one, where all its bounds hold', async (t) => {
  const lookUp = (name: string, _options: object, told: (fault: null, found: object[]) => void) => {
    const addresses = name === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [name];
    const found = addresses.map((address) => ({ address, family: 4 }));
    process.nextTick(told, null, found);
  };
  if (!(await skipUnlessThere(t, '127.0.0.2'))) return;
  const { mock } = t.mock.method(dns, 'lookup', lookUp as unknown as typeof dns.lookup);
  const { url } = await startTestService(t, { TESSERA_HOST: 'localhost' });
  mock.restore();
  const { hostname, port } = new URL(url);
  assert.equal(hostname, '127.0.0.1');
  assert.equal(await answers(url), true);
  assert.equal(await answers(`http://127.0.0.2:${port}`), false);
});
