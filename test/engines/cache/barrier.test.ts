import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Barrier } from '../../../src/engines/cache/barrier.ts';

/** A server that is asked, and answers when told to. */
function askable() {
  const answers: PromiseWithResolvers<void>[] = [];
  const ask = () => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  return { ask, answers };
}

test('callers of one turn share a question, and one that comes later waits for the next', async () => {
  const { ask, answers } = askable();
  const barrier = new Barrier(ask);
  const first = [barrier.upToDate(), barrier.upToDate()];
  await turn();
  assert.equal(answers.length, 1);
  let isLaterDone = false;
  const later = barrier.upToDate().then(() => {
    isLaterDone = true;
  });
  await turn();
  assert.equal(answers.length, 1, 'one question at a time');
  answers[0]?.resolve();
  await Promise.all(first);
  await turn();
  assert.deepEqual([answers.length, isLaterDone], [2, false]);
  answers[1]?.resolve();
  await later;
});

test('a question that fails rejects for those who share it alone', async () => {
  const { ask, answers } = askable();
  const barrier = new Barrier(ask);
  const first = barrier.upToDate();
  await turn();
  const later = barrier.upToDate();
  answers[0]?.reject(new Error('away'));
  await assert.rejects(first, /away/);
  await turn();
  answers[1]?.resolve();
  await later;
});

test('with a wait, callers of all turns until it is over share a question', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { ask, answers } = askable();
  const barrier = new Barrier(ask, 2);
  const callers = [barrier.upToDate()];
  for (let turns = 0; turns < 5; turns += 1) {
    await turn();
    callers.push(barrier.upToDate());
  }
  t.mock.timers.tick(1);
  assert.equal(answers.length, 0);
  t.mock.timers.tick(1);
  assert.equal(answers.length, 1);
  answers[0]?.resolve();
  await Promise.all(callers);
});
