import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE } from './patience.ts';

/** Does `work` until it succeeds, and gives its result; throws its last fault when it does not in time. */
export async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
    }
    await pause(20);
  }
}

/** Waits until `isSo`; throws what was waited for when that takes too long. A fault of `isSo` counts as not yet. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  try {
    await eventually(async () => assert.ok(await isSo(), 'it is not so'));
  } catch (cause) {
    throw new Error(`waited in vain: ${what}`, { cause });
  }
}
