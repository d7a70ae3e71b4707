import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { startTestService } from '../service/start.ts';

const THREADS = '/proc/self/task';
const elsewhere = process.platform !== 'linux' && 'only Linux tells threads apart';

/** The priorities of the threads of Node's pool. */
function poolPriorities(): readonly number[] {
  const isOfPool = (id: string) => readFileSync(`${THREADS}/${id}/comm`, 'utf8').includes('libuv');
  return readdirSync(THREADS).filter(isOfPool).map(Number).map(getPriority);
}

test('the threads that hash passwords have a lower priority than the event loop', {
  skip: elsewhere,
}, async (t) => {
  const own = getPriority();
  await startTestService(t);
  const found = poolPriorities();
  assert.ok(found.length >= 1);
  assert.deepEqual(new Set(found), new Set([Math.min(own + 10, 19)]));
  assert.equal(getPriority(), own);
});

test('a second start does not lower them again', { skip: elsewhere }, async (t) => {
  await startTestService(t);
  const found = poolPriorities();
  await startTestService(t);
  assert.deepEqual(poolPriorities(), found);
});
