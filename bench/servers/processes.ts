import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** A child process. Disposing of it ends it and waits for its end. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Waits until its output matches `pattern`, and returns the first group. Throws after `deadline` milliseconds. */
  said(pattern: RegExp, deadline: number): Promise<string>;
  /** Asks it to end early and to print its result. */
  interrupt(): void;
  /** Waits for its end and returns its output. Throws when it fails or takes longer than `deadline` milliseconds. */
  output(deadline: number): Promise<string>;
}

/** Milliseconds that a process may take to end after SIGTERM. */
const END_DEADLINE = 15_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

class Started implements Child {
  readonly #child: ChildProcess;
  readonly #name: string;
  /** The exit code, the signal that ended it, or why it did not start. */
  readonly #ended: Promise<number | string | null>;
  #text = '';

  constructor(child: ChildProcess, name: string) {
    this.#child = child;
    this.#name = name;
    running.add(child);
    this.#ended = new Promise<number | string | null>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(code ?? signal));
    }).finally(() => running.delete(child));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#text += chunk;
        child.emit('said');
      });
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  said(pattern: RegExp, deadline: number): Promise<string> {
    return this.#within(deadline, this.#saying(pattern));
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }

  output(deadline: number): Promise<string> {
    return this.#within(deadline, this.#ending());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!running.has(this.#child)) return;
    this.#child.kill('SIGTERM');
    const last = setTimeout(() => this.#child.kill('SIGKILL'), END_DEADLINE);
    await this.#ended;
    clearTimeout(last);
  }

  async #saying(pattern: RegExp): Promise<string> {
    const over = this.#ended.then((code) => Promise.reject(this.#fault(`ended with ${code}`)));
    over.catch(() => undefined);
    for (;;) {
      const found = pattern.exec(this.#text)?.[1];
      if (found !== undefined) return found;
      await Promise.race([once(this.#child, 'said'), over]);
    }
  }

  async #ending(): Promise<string> {
    const code = await this.#ended;
    if (code !== 0) throw this.#fault(`ended with ${code}`);
    return this.#text;
  }

  #within<T>(deadline: number, work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(this.#fault(`took over ${deadline} ms`)), deadline);
    return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
  }

  #fault(what: string): Error {
    return new Error(`${this.#name} ${what}: ${this.#text}`);
  }
}

/**
 * Starts a process with `PATH` and `env` as its environment. Reads both outputs, unless the standard output goes to the file
 * `output`.
 */
export function start(
  command: string,
  words: readonly string[],
  { env = {}, output }: { env?: Readonly<Record<string, string>>; output?: string } = {},
): Child {
  const file = output === undefined ? 'pipe' : openSync(output, 'a');
  const child = spawn(command, words, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', file, 'pipe'],
  });
  if (typeof file === 'number') closeSync(file);
  return new Started(child, command);
}

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;

/** The running child processes of a process. */
function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return list === '' ? [] : list.split(' ').map(Number);
}

/**
 * CPU seconds of a process and of all its child processes, running or ended. Undefined when the process is gone, and on
 * systems without `/proc`.
 */
export function processorSeconds(pid: number): number | undefined {
  try {
    const below = childrenOf(pid).map((child) => processorSeconds(child) ?? 0);
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    // proc(5): utime, stime, cutime and cstime are the fields 14 to 17, counted from before the name.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
    return below.reduce((sum, seconds) => sum + seconds, own);
  } catch {
    return undefined;
  }
}

/** Returns a function that gives the share of a core since this call; undefined on systems without `/proc`. */
export function processorShare(pid: number): () => number | undefined {
  const [before, began] = [processorSeconds(pid), performance.now()];
  return () => {
    const after = processorSeconds(pid);
    if (before === undefined || after === undefined) return undefined;
    return ((after - before) * 1_000) / (performance.now() - began);
  };
}

/** Resident memory of a process in MiB. Throws on systems without `/proc`. */
export function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kib) / 1_024;
}

/** The number of open file descriptors of a process. Throws on systems without `/proc`. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
