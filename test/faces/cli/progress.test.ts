import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ProgressBar } from '../../../src/faces/cli/progress.ts';

/** A bar on a terminal whose process began `ms` milliseconds ago, and what is drawn. */
function drawnAt(t: TestContext, ms: number, columns?: number) {
  const drawn: string[] = [];
  const stderr = { isTTY: true, columns, write: (text: string) => drawn.push(text) > 0 };
  let now = ms;
  t.mock.method(performance, 'now', () => now);
  const after = (passed: number) => {
    now += passed;
  };
  return { bar: new ProgressBar({ stderr } as never), drawn, after };
}

test('a bar is drawn at once, even in a process that has just started', (t) => {
  const { bar, drawn } = drawnAt(t, 60);
  bar.show(0, 'begun');
  assert.deepEqual(drawn, [`\r\x1b[K[${'.'.repeat(30)}]   0 %  begun`]);
});

test('a bar is drawn ten times a second at most, and at its end', (t) => {
  const { bar, drawn, after } = drawnAt(t, 5_000);
  bar.show(0.1, 'first');
  after(99);
  bar.show(0.2, 'too soon');
  after(1);
  bar.show(0.3, 'second');
  bar.show(1, 'end');
  assert.deepEqual(
    drawn.map((line) => line.split('%  ')[1]),
    ['first', 'second', 'end'],
  );
});

test('a bar is never more than full, even if more data comes than expected', (t) => {
  const { bar, drawn } = drawnAt(t, 5_000);
  for (const share of [1.07, Number.POSITIVE_INFINITY]) bar.show(share, 'more');
  assert.deepEqual(drawn, Array(2).fill(`\r\x1b[K[${'#'.repeat(30)}] 100 %  more`));
});

test('a bar stays on its line, however narrow the terminal is', (t) => {
  for (const columns of [20, 40, 60]) {
    const { bar, drawn } = drawnAt(t, 5_000, columns);
    bar.show(1, 'get-without-password-unknown');
    const [line = ''] = drawn;
    assert.equal(line.replace('\r\x1b[K', '').length, columns - 1);
  }
});

test('a terminal without a known width gets the whole bar', (t) => {
  const { bar, drawn } = drawnAt(t, 5_000, 0);
  bar.show(1, 'end');
  assert.deepEqual(drawn, [`\r\x1b[K[${'#'.repeat(30)}] 100 %  end`]);
});
