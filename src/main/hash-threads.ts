import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** How far the threads that hash stand behind the event loop (`nice`). */
const BEHIND = 10;
/** Where Linux tells the threads of this process, and by which name libuv calls those of its pool. */
const THREADS = '/proc/self/task';
const POOL = 'libuv-worker';

/** The threads of Node's pool; none before its first work, and none where the system does not tell them apart. */
function poolThreads(): readonly number[] {
  try {
    const all = readdirSync(THREADS);
    return all.filter((id) => readFileSync(`${THREADS}/${id}/comm`, 'utf8').trim() === POOL).map(Number);
  } catch {
    return [];
  }
}

/**
 * Lets the threads that hash passwords give way to the event loop, so that neither validations nor what a login does
 * beside its hash wait for a core (docs/why/hash-queue.md). To be called when the first hash is made: there are no threads
 * before. Where the system does not allow it all stays as it is; nothing but speed depends on it.
 */
export function letHashesGiveWay(): void {
  const priority = Math.min(getPriority() + BEHIND, 19);
  try {
    for (const thread of poolThreads()) setPriority(thread, priority);
  } catch {
    // A sandbox may forbid a process to change its priorities.
  }
}
