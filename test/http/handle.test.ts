import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Execute } from '../../src/gate/execute.ts';
import { ClientAddresses } from '../../src/http/client-address.ts';
import { listen } from '../../src/http/listen.ts';
import { routes } from '../../src/http/routes.ts';
import { buildServer } from '../../src/http/server.ts';
import serverGet from '../../src/operations/server.get.ts';
import { afterwards } from '../service/afterwards.ts';

test('a fault on the way of an answer is told of, and answered 500 with nothing of it', async (t) => {
  const faults: unknown[] = [];
  const broken: Execute = async () => Promise.reject(new Error('the inside'));
  const server = buildServer({
    find: routes([serverGet], ['']),
    findAny: () => undefined,
    ways: new Map([[serverGet, broken]]),
    addresses: new ClientAddresses([]),
    allowedOrigins: [],
    gateUriHeader: '',
    clock: Date.now,
    limits: { bodyLimit: 1_024, requestDeadline: 10_000, connections: 10 },
    nextRequestId: () => 'id',
    onAnswered: () => undefined,
    onDropped: () => undefined,
    onFault: (fault, id) => faults.push([(fault as Error).message, id]),
  });
  afterwards(t, () => server.close());
  await server.ready();
  const url = await listen(server.server, { host: '127.0.0.1', port: 0, setting: 'TESSERA_PORT' });
  const heard = await fetch(`${url}/api/server`, { signal: AbortSignal.timeout(10_000) });
  assert.equal(heard.status, 500);
  assert.doesNotMatch(await heard.text(), /inside/);
  assert.deepEqual(faults, [['the inside', 'id']]);
});
