import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { listen } from '../../../src/core/http/listen.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

for (const [host, shown] of [
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
] as const)
  test(`the URL of a server at ${host} can be opened`, {
    skip: host === '::1' && !hasIpv6 && 'no IPv6 here',
  }, async () => {
    const server = createServer((_, response) => response.end('here'));
    const url = await listen(server, { host, port: 0, setting: 'TESSERA_PORT' });
    assert.ok(url.startsWith(`http://${shown}:`), url);
    const response = await fetch(url);
    assert.equal(await response.text(), 'here');
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
