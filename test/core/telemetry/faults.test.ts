import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { faultLogger, loggedFaults, openLog } from '../../../src/core/telemetry/log.ts';

const MINUTE = 60_000;

/** Logs faults, and returns whether each line has a stack. */
function telling(t: TestContext) {
  const lines: string[] = [];
  let now = 5_000;
  t.mock.method(performance, 'now', () => now);
  const tell = faultLogger(openLog('error', { write: (line) => void lines.push(line) }));
  return {
    tell,
    lines: () => lines.map((line) => JSON.parse(line)),
    stacks: () => lines.map((line) => JSON.parse(line).err.stack !== undefined),
    pass(ms: number) {
      now += ms;
    },
  };
}

const outage = () => new Error('the disk is full', { cause: new Error('ENOSPC') });

test('a fault that many requests meet is logged with its stack once, and every time with its message and the request', (t) => {
  const { tell, lines, stacks } = telling(t);
  const before = loggedFaults();
  for (const id of ['a-1', 'a-2', 'a-3']) tell(outage(), id);
  assert.deepEqual(stacks(), [true, false, false]);
  assert.equal(loggedFaults() - before, 3);
  assert.deepEqual(
    lines().map(({ id, msg, err }) => [id, msg, err.type, err.message]),
    ['a-1', 'a-2', 'a-3'].map((id) => [id, 'fault', 'Error', 'the disk is full: ENOSPC']),
  );
});

test('the stack is logged again a minute later', (t) => {
  const { tell, stacks, pass } = telling(t);
  for (const passed of [0, MINUTE, 2, MINUTE]) {
    pass(passed);
    tell(outage());
  }
  assert.deepEqual(stacks(), [true, false, true, false]);
});

test('a fault with the same message from another place is logged with its own stack', (t) => {
  const { tell, stacks } = telling(t);
  tell(outage());
  tell(new Error('the disk is full'));
  assert.deepEqual(stacks(), [true, true]);
});

test('a fault that is no error is logged as it is', (t) => {
  const { tell, lines } = telling(t);
  for (const fault of ['thrown', 'thrown']) tell(fault, 'a-1');
  assert.deepEqual(
    lines().map(({ err }) => err),
    ['thrown', 'thrown'],
  );
});
