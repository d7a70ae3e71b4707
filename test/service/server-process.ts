import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './at-exit.ts';

/** How a folder is removed: of a server that was killed, a child may write into it for a moment yet. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

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
