import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { counterexamples, lineOf } from '../histories/check.ts';
import { pictureOf } from '../histories/picture.ts';
import type { History } from '../histories/record.ts';

/** How many counterexamples are told whole. */
const MOST = 10;

/**
 * Fails if no order explains what clients saw of some ticket or user, but for what they saw while it might be stale. Tells each
 * counterexample as a line, with the file of its picture.
 */
export function assertExplained(t: TestContext, history: History): void {
  const all = [...counterexamples(history)];
  const faults = all.filter(({ isExcused }) => !isExcused);
  const excused = all.length - faults.length;
  t.diagnostic(
    `history of ${history.intervals.length} operations: ${faults.length} counterexamples, ${excused} more inside the fail-over window`,
  );
  if (faults.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'tessera-counterexamples-'));
  for (const [at, counterexample] of faults.slice(0, MOST).entries()) {
    const file = join(folder, `${at + 1}.svg`);
    writeFileSync(file, pictureOf(counterexample));
    t.diagnostic(`${lineOf(counterexample)}; ${file}`);
  }
  assert.fail(`${faults.length} counterexamples, in ${folder}: ${lineOf(faults[0] as never)}`);
}
