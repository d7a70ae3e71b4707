import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import type { Defect } from './defects.ts';
import { commitOf, extract } from './history.ts';

/** Milliseconds that the test of a defect may take: some defects show by an answer that never comes. */
const DEADLINE = 120_000;

/** How a test ended in a tree: `absent` if no test of the name ran, such as in a file that could not be loaded. */
export interface Ended {
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'absent';
  readonly reason: string;
}

/** What the test of a defect did at the mend and on the version before. */
export interface Reproduction {
  readonly before: Ended;
  readonly after: Ended;
}

/** The message of an error of a test, on one line: that of its cause, since the runner wraps what a test throws. */
function messageOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const shown = cause instanceof Error ? cause.message : error instanceof Error ? error.message : error;
  return String(shown).replace(/\s+/g, ' ').slice(0, 200);
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

async function runTest(folder: string, { file, name }: Defect, signal: AbortSignal): Promise<Ended> {
  let ended: Ended = { outcome: 'absent', reason: `no test of this name ran in ${file}` };
  const events = run({
    files: [join(folder, file)],
    cwd: folder,
    testNamePatterns: [new RegExp(`^${escaped(name)}$`)],
    timeout: DEADLINE,
    signal,
  });
  events.on('test:pass', (test) => {
    if (test.name !== name) return;
    const isSkipped = test.skip !== undefined && test.skip !== false;
    ended = isSkipped ? { outcome: 'skipped', reason: String(test.skip) } : { outcome: 'passed', reason: '' };
  });
  events.on('test:fail', (test) => {
    const reason = messageOf(test.details.error);
    if (test.name === name) ended = { outcome: 'failed', reason };
    else if (ended.outcome === 'absent') ended = { outcome: 'absent', reason };
  });
  for await (const _ of events);
  signal.throwIfAborted();
  return ended;
}

/** Runs the test in a copy of a tree of the history, with the tests of the mend and the packages of this checkout. */
async function runIn(root: string, tree: string, defect: Defect, signal: AbortSignal): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-reproduce-'));
  try {
    await extract(root, tree, folder);
    await extract(root, defect.mend, folder, 'test');
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return await runTest(folder, defect, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the test of a defect on the commit that mended it and on the one before, in temporary folders. Throws
 * `CannotReproduce` if the history does not have them, and the reason of the signal once it is aborted.
 */
export async function reproduce(root: string, defect: Defect, signal: AbortSignal): Promise<Reproduction> {
  const mend = await commitOf(root, defect.mend);
  const before = await commitOf(root, `${mend}~1`);
  return {
    after: await runIn(root, mend, defect, signal),
    before: await runIn(root, before, defect, signal),
  };
}

/** Whether the defect is there before the mend, and gone with it. */
export const isReproduced = ({ before, after }: Reproduction): boolean =>
  before.outcome === 'failed' && after.outcome === 'passed';
