import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NO_BRAND } from '../../../src/core/domain/brand.ts';
import { refuse } from '../../../src/core/domain/refusal.ts';
import type { Execute } from '../../../src/core/gate/call.ts';
import { ClientAddresses } from '../../../src/core/http/client-address.ts';
import { ServedHosts } from '../../../src/core/http/host.ts';
import { listen } from '../../../src/core/http/listen.ts';
import { type FindRoute, routes } from '../../../src/core/http/routes.ts';
import { buildServer } from '../../../src/core/http/server.ts';
import serverGet from '../../../src/core/operations/server.get.ts';
import { afterwards } from '../../service/afterwards.ts';
import { PATIENCE } from '../../service/patience.ts';

/** Serves one operation with these functions. Returns the reported faults too. */
async function serve(t: TestContext, execute: Execute, find: FindRoute = routes([serverGet], [''])) {
  const faults: unknown[] = [];
  const hosts = new ServedHosts({ listed: [], anyAddress: false });
  const { fastify: server } = buildServer({
    find,
    hosts,
    findAny: () => undefined,
    mounted: [],
    handlers: new Map([[serverGet, execute]]),
    loadPages: () => undefined,
    pageRefusals: () => undefined,
    addresses: new ClientAddresses([], () => undefined),
    allowedOrigins: [],
    gateUriHeader: '',
    cookieDomain: '',
    returnHosts: [],
    brand: NO_BRAND,
    signInButtons: () => [],
    clock: Date.now,
    signature: 'Tessera v3.2.0 (2039)',
    limits: { bodyLimit: 1_024, requestDeadline: 10_000, connectionsPerAddress: 1_000, connections: 10 },
    nextRequestId: () => 'id',
    onAnswered: () => undefined,
    onDropped: () => undefined,
    onFault: (fault, id) => faults.push([(fault as Error).message, id]),
  });
  afterwards(t, () => server.close());
  await server.ready();
  const url = await listen(server.server, { host: '127.0.0.1', port: 0, setting: 'TESSERA_PORT' });
  hosts.boundTo(url);
  const ask = () => fetch(`${url}/api/server`, { signal: AbortSignal.timeout(PATIENCE) });
  return { ask, faults };
}

test('a fault is reported, and the answer 500 says nothing of it', async (t) => {
  const { ask, faults } = await serve(t, async () => Promise.reject(new Error('the inside')));
  const heard = await ask();
  assert.equal(heard.status, 500);
  assert.doesNotMatch(await heard.text(), /inside/);
  assert.deepEqual(faults, [['the inside', 'id']]);
});

test('a fault that cannot be answered closes its connection, and the process serves others', async (t) => {
  let isBroken = true;
  const found = routes([serverGet], ['']);
  const { ask, faults } = await serve(
    t,
    async () => ({ result: refuse('internal') }),
    (segments) => (isBroken ? assert.fail('the inside') : found(segments)),
  );
  await assert.rejects(ask(), { message: 'fetch failed' });
  assert.deepEqual(faults, [
    ['the inside', 'id'],
    ['the inside', 'id'],
  ]);
  isBroken = false;
  assert.equal((await ask()).status, 500);
});
