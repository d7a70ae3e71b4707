import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { eventually, until } from '../../service/until.ts';
import { Connection } from './connection.ts';

const SERVER = 'GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n';
const ANSWERED = /"schema":"2039"\}\}$/;
const WARN = 40;

/** A connection from this address that was answered. */
async function answered(url: string, from: string): Promise<Connection> {
  const connection = await Connection.open(url, { from });
  connection.say(SERVER);
  await connection.until(ANSWERED);
  return connection;
}

test('each address has its own share of all connections', async (t) => {
  const { url, lines, watched } = await startTestService(t, {
    TESSERA_CONNECTIONS: '10',
    TESSERA_CONNECTIONS_PER_ADDRESS: '20%',
  });
  const first = [await answered(url, '127.0.0.1'), await answered(url, '127.0.0.1')];
  const beyond = await Connection.open(url, { from: '127.0.0.1' });
  assert.equal(await beyond.untilClosed(), '');
  const others = [await answered(url, '127.0.0.2'), await answered(url, '127.0.0.2')];
  const metrics = await watched.metrics.text();
  assert.match(metrics, /^tessera_connections_dropped_total\{reason="address"\} 1$/m);
  assert.match(metrics, /^tessera_connections_dropped_total\{reason="all"\} 0$/m);
  const [told = '{}'] = lines.filter((line) => line.includes('TESSERA_CONNECTIONS_PER_ADDRESS'));
  const { level, connections, address } = JSON.parse(told);
  assert.deepEqual({ level, connections, address }, { level: WARN, connections: 1, address: '127.0.0.1' });

  first[0]?.close();
  const again = await eventually(() => answered(url, '127.0.0.1'));
  for (const connection of [...first, ...others, again]) connection.close();
});

test('a connection that was handed to Node counts until it is closed', async (t) => {
  const { url } = await startTestService(t, { TESSERA_CONNECTIONS_PER_ADDRESS: '1' });
  const left = await Connection.open(url);
  left.say(SERVER.replace('GET', 'OPTIONS'));
  await left.until(/204 No Content/);
  const beyond = await Connection.open(url);
  assert.equal(await beyond.untilClosed(), '');
  left.close();
  const again = await eventually(() => answered(url, '127.0.0.1'));
  again.close();
});

test('a trusted proxy may have all connections', async (t) => {
  const { url } = await startTestService(t, {
    TESSERA_CONNECTIONS_PER_ADDRESS: '1',
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  });
  const all = [await answered(url, '127.0.0.1'), await answered(url, '127.0.0.1')];
  for (const connection of all) connection.close();
});

test('without a setting an address has a quarter of all connections', async (t) => {
  const { url, watched } = await startTestService(t, { TESSERA_CONNECTIONS: '5' });
  const all = [await answered(url, '127.0.0.1'), await answered(url, '127.0.0.1')];
  const beyond = await Connection.open(url);
  assert.equal(await beyond.untilClosed(), '');
  await until('it is counted', async () =>
    (await watched.metrics.text()).includes('tessera_connections_dropped_total{reason="address"} 1'),
  );
  for (const connection of all) connection.close();
});
