import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE } from '../../service/patience.ts';

/** The result of a program. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Options for a program. */
export interface Surroundings {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the program counts as hanging, and is killed. */
  readonly patience?: number;
}

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder of the programs that a checkout brings: `tessera` and `node`. */
export const BIN = join(CHECKOUT, 'bin');

/** An environment with the checkout's programs first on the path, cheap hashes, and nothing else. */
export function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const PATH = `${BIN}:${process.env.PATH ?? ''}`;
  // A short command spends most of its time compiling. The compile cache halves that.
  const NODE_COMPILE_CACHE = join(CHECKOUT, 'node_modules/.cache/tests');
  return { PATH, NODE_COMPILE_CACHE, TESSERA_HASH_MEMORY: '8', TESSERA_HASH_PASSES: '1', ...more };
}

/** Runs a program to its end, without a terminal. If it does not end, throws with its output. */
export function run(program: string, words: readonly string[], around: Surroundings = {}): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const { cwd, patience: timeout = PATIENCE } = around;
  const child = spawn(program, words, { cwd, env: environment(around.env), timeout });
  const heard = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      heard[stream] += text;
    });
  }
  // A program that reads no input may end before its input is written.
  child.stdin.on('error', () => undefined).end(around.stdin ?? '');
  child.on('error', reject).on('close', (code) => {
    const said = heard.stdout + heard.stderr;
    if (child.killed) reject(new Error(`${program} ${words.join(' ')} took over ${timeout} ms: ${said}`));
    else resolve({ ...heard, code });
  });
  return promise;
}

/** Runs a shell line. */
export function shell(line: string, around: Surroundings = {}): Promise<Ended> {
  return run('sh', ['-c', line], around);
}

/** Runs the real command line on a data folder. Throws with its output if it does not exit with 0. */
export function tesseraOn(data: string): (words: string, stdin?: string) => Promise<string> {
  return async (words, stdin = '') => {
    const { stdout, stderr, code } = await shell(`tessera ${words}`, { env: { TESSERA_DATA: data }, stdin });
    if (code !== 0) throw new Error(`tessera ${words}: ${code} ${stderr}`);
    return stdout;
  };
}
