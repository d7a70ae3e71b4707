import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { afterwards } from '../service/afterwards.ts';
import { atExit } from '../service/at-exit.ts';
import { PASSWORD } from '../service/start.ts';

/** The folder of this version. */
const HERE = fileURLToPath(new URL('../../', import.meta.url));

/** The settings of every service here: the cheapest hash, and as many tickets and tries as come. */
const SETTINGS = {
  TESSERA_PORT: '0',
  TESSERA_METRICS_PORT: '0',
  TESSERA_ADMIN_PASSWORD: PASSWORD,
  TESSERA_HASH_MEMORY: '8',
  TESSERA_HASH_PASSES: '1',
  TESSERA_TICKETS_PER_USER: '0',
  TESSERA_THROTTLE_AFTER: '0',
  TESSERA_LOG_LEVEL: 'silent',
};

const running = new Set<ChildProcess>();
// A test run that is cut short leaves no service behind.
atExit(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it said to the operator. */
  readonly said: string;
}

/** A process of the service, as an operator runs it. */
export interface Serving {
  /** Where it listens; rejects with what it said when it ends before it does. */
  readonly url: Promise<string>;
  readonly ended: Promise<Ending>;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Runs `tessera serve` on `data`; it is killed after the test if it still runs. Its log goes into the file that `log`
 * is, or is given to it as it comes. `root` is the folder of another version.
 */
export function serve(
  t: TestContext,
  data: string,
  settings: Record<string, string> = {},
  log: number | ((text: string) => void) | 'ignore' = 'ignore',
  root = HERE,
): Serving {
  const env = { PATH: process.env.PATH, ...SETTINGS, TESSERA_DATA: data, ...settings };
  // The script ends as the service itself: its process id is that of the service.
  const child = spawn(join(root, 'bin/tessera'), ['serve'], {
    env,
    stdio: ['ignore', typeof log === 'function' ? 'pipe' : log, 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  if (typeof log === 'function') child.stdout?.setEncoding('utf8').on('data', log);
  let said = '';
  const url = new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text;
      const there = /listens on (\S+)\n/.exec(said)?.[1];
      if (there !== undefined) resolve(there);
    });
    child.once('close', () => reject(new Error(`the service ended before it listened: ${said}`)));
  });
  url.catch(() => undefined);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, said }));
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { url, ended, pid: child.pid as number, kill: (signal) => void child.kill(signal) };
}
