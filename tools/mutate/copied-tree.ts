import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Milliseconds that a stopped test has for ending its servers. */
const UNTIL_KILLED = 10_000;

/** One test after the other in one process, which shares what the files load, as in `npm test`. */
const FLAGS = [
  '--test',
  '--test-isolation=none',
  '--import=./test/core/identity/counted-hashes.ts',
  '--test-reporter=tap',
];

/** How tests ended. */
export type Ended = 'passed' | 'failed' | 'too slow';

/** A copy of the working tree, in which a file may be changed. */
export class CopiedTree {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tessera-mutate-'));

  /** Copies all files below `root` that git tracks or does not ignore. */
  constructor(root: string) {
    const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root });
    for (const file of new Set(listed.toString().split('\0'))) {
      const from = join(root, file);
      if (file !== '' && existsSync(from)) cpSync(from, join(this.#folder, file), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
    mkdirSync(join(this.#folder, 'tmp'));
    // Tests start database servers as another user, who must read the folder.
    chmodSync(this.#folder, 0o755);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text);
  }

  /**
   * Runs test files until the first failure, for at most `limit` milliseconds. Rejects when `signal` stops it. A stopped test
   * ends the servers that it started.
   */
  async run(tests: readonly string[], limit: number, signal: AbortSignal): Promise<Ended> {
    signal.throwIfAborted();
    const child = spawn('bin/node', [...FLAGS, ...tests], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, TMPDIR: join(this.#folder, 'tmp') },
      // A process group of its own, so that all its processes can be ended.
      detached: true,
    });
    let [isTooSlow, hasFailed] = [false, false];
    let patience: NodeJS.Timeout | undefined;
    const stop = () => {
      child.kill('SIGTERM');
      patience = setTimeout(() => endGroup(child.pid), UNTIL_KILLED);
    };
    const late = setTimeout(() => {
      isTooSlow = true;
      stop();
    }, limit);
    signal.addEventListener('abort', stop);
    createInterface(child.stdout).on('line', (line) => {
      if (hasFailed || !/^\s*not ok /.test(line)) return;
      hasFailed = true;
      stop();
    });
    try {
      const [code] = await once(child, 'exit');
      signal.throwIfAborted();
      if (hasFailed) return 'failed';
      return isTooSlow ? 'too slow' : code === 0 ? 'passed' : 'failed';
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(late);
      clearTimeout(patience);
      endGroup(child.pid);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Ends the remaining processes of a group. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // No process is left.
  }
}
