import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openLog } from '../../src/core/telemetry/log.ts';
import { connectionsWithin } from '../../src/main/listening.ts';
import { Connection } from '../core/http/connection.ts';
import { BIN, environment } from '../faces/cli/command.ts';
import { afterwards } from '../service/afterwards.ts';
import { freePort } from '../service/free-port.ts';
import { temporaryFolder } from '../service/start.ts';
import { eventually, until } from '../service/until.ts';

/** How many connections are served if the system allows this many open files, and the warning. */
function within(allowed: number, most: number) {
  const lines: string[] = [];
  const served = connectionsWithin(
    allowed,
    most,
    openLog('warn', { write: (line) => void lines.push(line) }),
  );
  return { served, told: lines.map((line) => JSON.parse(line).msg) };
}

test('as many connections are served as are allowed, if the system has room for them', () => {
  for (const most of [350, 1_000_000, Number.POSITIVE_INFINITY])
    assert.deepEqual(within(200, most), { served: 200, told: [] });
});

test('fewer are served if the system has less room, but at least one, and a warning says what to raise', () => {
  assert.equal(within(200, 50).served, 1);
  assert.deepEqual(within(200, 349), {
    served: 199,
    told: [
      'the system lets this process have 349 files open, so it serves 199 connections at a time and not the 200 of ' +
        'TESSERA_CONNECTIONS: raise that limit to 350 (ulimit -n, LimitNOFILE of systemd), or set fewer',
    ],
  });
});

const SERVER = 'GET /api/server HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('a process that may open few files closes connections that it has no room for, counts them, and serves the others', async (t) => {
  const metricsPort = await freePort();
  const env = environment({
    TESSERA_DATA: await temporaryFolder(t),
    TESSERA_PORT: '0',
    TESSERA_METRICS_PORT: String(metricsPort),
    TESSERA_ADMIN_PASSWORD: 'correct-horse-battery',
    TESSERA_CONNECTIONS_PER_ADDRESS: '100%',
  });
  const program = `ulimit -n 160 && exec '${join(BIN, 'tessera')}' serve`;
  const child = spawn('sh', ['-c', program], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines: Record<string, string>[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  await until('it listens', async () => lines.some(({ msg }) => msg === 'listening'));
  const { url = '' } = lines.find(({ msg }) => msg === 'listening') ?? {};
  // They send nothing: the metrics port closes them after a while, and takes no handles from the public port until then.
  const metricsUrl = `http://127.0.0.1:${metricsPort}`;
  const silent = await Promise.all(Array.from({ length: 120 }, () => Connection.open(metricsUrl)));
  const connections = await Promise.all(Array.from({ length: 120 }, () => Connection.open(url)));
  const heard = connections.map((connection) => {
    connection.say(SERVER);
    return connection.until(/\}\}$/).catch(() => '');
  });
  assert.equal((await Promise.all(heard)).filter((text) => text !== '').length, 10);
  const counted = await (await eventually(() => fetch(`${metricsUrl}/metrics`))).text();
  assert.match(counted, /^tessera_connections_dropped_total\{reason="all"\} 110$/m);
  assert.match(counted, /^tessera_connections_dropped_total\{reason="metrics"\} [1-9]\d*$/m);
  for (const connection of [...silent, ...connections]) connection.close();
});
