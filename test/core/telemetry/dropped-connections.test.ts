import assert from 'node:assert/strict';
import { test } from 'node:test';
import { droppedConnections } from '../../../src/core/telemetry/dropped-connections.ts';
import { openLog } from '../../../src/core/telemetry/log.ts';

test('connections beyond a limit are logged at once, then once a minute, with their number', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: [level: number, connections: number][] = [];
  const write = (line: string) => {
    const { level, connections, msg } = JSON.parse(line);
    assert.match(msg, /TESSERA_CONNECTIONS were/);
    told.push([level, connections]);
  };
  const drop = droppedConnections(openLog('warn', { write }), () => undefined);
  const WARN = 40;
  for (let times = 0; times < 3; times += 1) drop('all');
  assert.deepEqual(told, [[WARN, 1]]);
  t.mock.timers.tick(60_000);
  assert.deepEqual(told.splice(0), [
    [WARN, 1],
    [WARN, 2],
  ]);
  t.mock.timers.tick(120_000);
  assert.deepEqual(told, []);
  drop('all');
  assert.deepEqual(told, [[WARN, 1]]);
});

test('each limit is counted and has a line of its own', () => {
  const lines: Record<string, unknown>[] = [];
  const counted: string[] = [];
  const drop = droppedConnections(
    openLog('warn', { write: (line) => void lines.push(JSON.parse(line)) }),
    (reason) => void counted.push(reason),
  );
  drop('all');
  drop('address', '10.0.0.7');
  drop('metrics');
  drop('address', '10.0.0.8');
  assert.deepEqual(counted, ['all', 'address', 'metrics', 'address']);
  assert.deepEqual(
    lines.map(({ connections, address }) => [connections, address]),
    [
      [1, undefined],
      [1, '10.0.0.7'],
      [1, undefined],
    ],
  );
});
