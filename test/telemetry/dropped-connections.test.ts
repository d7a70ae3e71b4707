import assert from 'node:assert/strict';
import { test } from 'node:test';
import { droppedConnections } from '../../src/telemetry/dropped-connections.ts';
import { openLog } from '../../src/telemetry/log.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';

test('connections without room are told at once, then once a minute, as many as there were', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: [level: number, connections: number][] = [];
  const write = (line: string) => {
    const { level, connections, msg } = JSON.parse(line);
    assert.match(msg, /TESSERA_CONNECTIONS/);
    told.push([level, connections]);
  };
  const drop = droppedConnections(
    openLog('warn', { write }),
    new Metrics({ hashesWaiting: () => 0, liveTickets: () => 0 }),
  );
  const WARN = 40;
  for (let times = 0; times < 3; times += 1) drop();
  assert.deepEqual(told, [[WARN, 1]]);
  t.mock.timers.tick(60_000);
  assert.deepEqual(told.splice(0), [
    [WARN, 1],
    [WARN, 2],
  ]);
  t.mock.timers.tick(120_000);
  assert.deepEqual(told, []);
  drop();
  assert.deepEqual(told, [[WARN, 1]]);
});
