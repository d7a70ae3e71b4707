import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '../../crash/serve.ts';
import { PATIENCE } from '../../service/patience.ts';
import { temporaryFolder } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';

const TELEMETRY = new URL('../../../src/core/telemetry/', import.meta.url);

for (const [service, workers] of [
  ['a service', '1'],
  ['a service of two processes', '2'],
] as const) {
  test(`a standard output without room ends ${service} neither while it runs nor while it stops`, {
    timeout: PATIENCE,
  }, async (t) => {
    const full = openSync('/dev/full', 'w');
    t.after(() => closeSync(full));
    const settings = { TESSERA_LOG_LEVEL: 'info', TESSERA_WORKERS: workers };
    const running = serve(t, await temporaryFolder(t), settings, full);
    const url = await running.url;
    for (let time = 0; time < 8; time += 1) {
      await logIn(url);
      await pause(100);
    }
    running.kill('SIGTERM');
    const { code, signal, said } = await running.ended;
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, said);
  });
}

for (const workers of [1, 2]) {
  test(`a reader of the log that went away delays no stop, with ${workers} at work`, {
    timeout: PATIENCE,
  }, async (t) => {
    const pipe = join(await temporaryFolder(t), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = await open(pipe, 'r+');
    const writer = openSync(pipe, 'w');
    const settings = { TESSERA_LOG_LEVEL: 'info', TESSERA_WORKERS: String(workers) };
    const running = serve(t, await temporaryFolder(t), settings, writer);
    closeSync(writer);
    // The first write that fails must be that of the stop.
    let log = '';
    while (log.split('"listening"').length <= workers)
      log += (await reader.read()).buffer.toString('utf8').replaceAll('\0', '');
    await running.url;
    await reader.close();
    running.kill('SIGTERM');
    const { code, signal, said } = await running.ended;
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, said);
  });
}

/** Writes more lines at once than may wait. */
const TALKATIVE = `
  import { openLog } from '${new URL('log.ts', TELEMETRY)}';
  import { Metrics } from '${new URL('metrics.ts', TELEMETRY)}';
  const log = openLog('info');
  for (let number = 0; number < 60_000; number += 1) log.info({ number, text: 'x'.repeat(200) });
  process.stderr.write(await new Metrics({ liveTickets: () => 0, hashesWaiting: () => 0, clock: Date.now }).text());
`;

test('lines above 8 MiB that wait are dropped and counted, and written lines are whole', {
  timeout: PATIENCE,
}, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', TALKATIVE]);
  const [log, metrics] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const dropped = Number(/^tessera_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
  const lines = log.trimEnd().split('\n');
  assert.ok(log.length <= 8 * 1_024 * 1_024, `${log.length} bytes waited`);
  assert.equal(lines.length + dropped, 60_000);
  for (const [index, line] of lines.entries()) assert.equal(JSON.parse(line).number, index);
});

/** Writes more lines at once than may wait, then one by one until one is taken. */
const TALKATIVE_AGAIN = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { droppedLines, openLog } from '${new URL('log.ts', TELEMETRY)}';
  const log = openLog('info');
  for (let number = 0; number < 60_000; number += 1) log.info({ text: 'x'.repeat(200) });
  let before;
  do {
    before = droppedLines();
    await pause(20);
    log.info('taken again');
  } while (droppedLines() > before);
  log.info('the last');
  process.stderr.write(String(droppedLines()));
`;

test('the log says how many lines are missing, after the first line that is taken again', {
  timeout: PATIENCE,
}, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', TALKATIVE_AGAIN]);
  const [log, dropped] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const last = log
    .trimEnd()
    .split('\n')
    .slice(-3)
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    last.map(({ level, msg, lines }) => [level, msg.split(':')[0], lines]),
    [
      [30, 'taken again', undefined],
      [40, 'lines of the log are missing here', Number(dropped)],
      [30, 'the last', undefined],
    ],
  );
});
