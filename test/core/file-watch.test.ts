import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FileWatch } from '../../src/core/file-watch.ts';

/** A watch over one file, whose reader notes what it reads, and a clock for its checks. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reads: string[] = [];
  const file = { stamp: 'first' };
  const read = () => {
    watch.noteReading();
    reads.push(file.stamp);
  };
  const watch = new FileWatch({
    stamp: () => file.stamp,
    stampAsync: async () => file.stamp,
    onChange: read,
  });
  t.after(() => watch.close());
  const check = async () => {
    t.mock.timers.tick(500);
    await turn();
  };
  return { watch, reads, file, read, check };
}

test('a file is read again once after each change, when two checks see the same', async (t) => {
  const { watch, reads, file, read, check } = watched(t);
  read();
  watch.start();
  for (let times = 0; times < 3; times += 1) await check();
  assert.deepEqual(reads, ['first'], 'nothing has changed');
  file.stamp = 'half';
  await check();
  file.stamp = 'whole';
  await check();
  assert.deepEqual(reads, ['first'], 'it still changes');
  for (let times = 0; times < 3; times += 1) await check();
  assert.deepEqual(reads, ['first', 'whole']);
});

test('a change between the reading and the first check is noticed', async (t) => {
  const { watch, reads, file, read, check } = watched(t);
  read();
  file.stamp = 'second';
  watch.start();
  await check();
  await check();
  assert.deepEqual(reads, ['first', 'second']);
});

test('a closed watch reads nothing more', async (t) => {
  const { watch, reads, file, read, check } = watched(t);
  read();
  watch.start();
  file.stamp = 'second';
  await check();
  watch.close();
  await check();
  assert.deepEqual(reads, ['first']);
});
