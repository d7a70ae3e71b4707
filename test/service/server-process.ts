import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/** How a folder is removed: of a server that was killed, a child may write into it for a moment yet. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** The state of each thread of a process, as Linux tells them; none of a process that is gone. */
function statesOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(
      (thread) =>
        /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))?.[1] ?? 'X',
    );
  } catch {
    return [];
  }
}

/** A server of the tests' own: a process, with its data in a temporary folder. */
export abstract class ServerProcess {
  protected readonly folder: string;
  /** The process that runs, or the last one that did; the class that extends this one sets it. */
  protected child: ChildProcess | undefined;

  protected constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), `tessera-${name}-`));
    // A run that is cut short leaves nothing behind, no frozen server either.
    atExit(() => {
      this.child?.kill('SIGKILL');
      rmSync(this.folder, REMOVAL);
    });
  }

  /** Starts the server again on what it kept, and waits until it answers. */
  abstract resume(): Promise<void>;

  /** Stops it in the middle of its work: it holds its connections, and answers none. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
    // The signal reaches the threads of a busy machine a moment later. Until then the server answers.
    while (this.#runs()) Atomics.wait(PAUSE, 0, 0, 1);
  }

  /** Whether the system lets any thread of it run: not one that is stopped, or that ended. */
  #runs(): boolean {
    const { pid = 0 } = this.child ?? {};
    const states = statesOf(pid);
    return states.some((state) => !/[TtZX]/.test(state));
  }

  /** Lets it go on after {@link freeze}. */
  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** Ends it as a crash of the process would; what it kept stays for {@link resume}. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, REMOVAL);
  }
}
