import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePort } from './free-port.ts';

const COUNT = 200;
const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';

test('a port that was found free is not found again before somebody listens on it', async () => {
  const found = new Set<number>();
  for (let number = 0; number < COUNT; number += 1) found.add(await freePort());
  assert.equal(found.size, COUNT);
});

test('a port that was found free is not one that the system gives to whoever takes any, where it leaves others', async () => {
  const [lowest = 0] = readFileSync(RANGE, 'utf8').split('\t').map(Number);
  const end = lowest > 11_000 ? lowest : 65_536;
  for (let number = 0; number < COUNT; number += 1) {
    const port = await freePort();
    assert.ok(port >= 10_000 && port < end, `${port} is not below ${end}`);
  }
});

test('a port that somebody listens on is not found', async (t) => {
  const next = (await freePort()) + 1;
  const server = createServer().listen(next, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening').catch(() => undefined);
  assert.notEqual(await freePort(), next);
});
