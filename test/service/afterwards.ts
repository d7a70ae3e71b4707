import type { TestContext } from 'node:test';

const stacks = new WeakMap<TestContext, AsyncDisposableStack>();

/** Does `work` once the test is over: what was asked for last is done first, so that a folder outlives what runs on it. */
export function afterwards(t: TestContext, work: () => unknown): void {
  let stack = stacks.get(t);
  if (stack === undefined) {
    const fresh = new AsyncDisposableStack();
    stack = fresh;
    stacks.set(t, fresh);
    t.after(() => fresh.disposeAsync());
  }
  stack.defer(async () => void (await work()));
}
