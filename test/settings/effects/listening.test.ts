import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../service/free-port.ts';
import { startTestService } from '../../service/start.ts';

/** Whether anybody answers there. */
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

for (const [host, shown] of [
  ['127.0.0.2', '127.0.0.2'],
  ['::1', '[::1]'],
] as const) {
  test(`with TESSERA_HOST and TESSERA_METRICS_HOST at ${host} the service is there and nowhere else`, async (t) => {
    const { url, metricsUrl } = await startTestService(t, {
      TESSERA_HOST: host,
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
