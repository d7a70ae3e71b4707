import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLog } from '../../../src/core/telemetry/log.ts';
import { ConnectionLost, translated } from '../../../src/engines/redis/errors.ts';

/** What the log says of an error. */
function logged(err: unknown): string {
  const lines: string[] = [];
  openLog('error', { write: (line) => void lines.push(line) }).error({ err });
  return JSON.parse(lines[0] ?? '{}').err.message;
}

test('the log tells once why a connection was lost, and what was behind it', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:6379');
  assert.equal(logged(translated(new ConnectionLost('nothing answers'))), 'nothing answers');
  assert.equal(
    logged(translated(new ConnectionLost('nothing listens there', { cause }))),
    `nothing listens there: ${cause.message}`,
  );
});
