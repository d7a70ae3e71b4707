import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { atExit } from './at-exit.ts';
import { PATIENCE } from './patience.ts';

/** Where Debian's packages put them, which is not on everybody's path. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin`;

/**
 * Why this proxy, asked for its version by `word`, cannot be started here; nothing when it can. With
 * TESSERA_TEST_ALL=1 that is a failure.
 */
export function whyNoProxy(name: string, word: string): string | undefined {
  try {
    execFileSync(name, [word], { stdio: 'pipe', env: { ...process.env, PATH } });
    return undefined;
  } catch {
    const why = `no ${name} (Debian: apt-get install ${name}); TESSERA_TEST_ALL=1 makes that a failure`;
    if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
    return why;
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function started(child: ChildProcess, port: number, said: string): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE;
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`the proxy did not start: ${readFileSync(said, 'utf8')}`);
    await pause(20);
  }
}

/**
 * Starts a real proxy in the foreground, which listens on `port`, with the words that are made for a folder of its own.
 * It is stopped and its folder gone after the test.
 */
export async function startProxy(
  t: TestContext,
  name: string,
  port: number,
  wordsIn: (folder: string) => readonly string[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `tessera-${name}-`));
  const said = join(folder, 'said');
  const output = openSync(said, 'w');
  const env = { ...process.env, PATH, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(name, wordsIn(folder), { stdio: ['ignore', output, output], env });
  closeSync(output);
  // A test run that is cut short leaves nothing behind; the proxy may write for a moment yet.
  const takeBack = atExit(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  t.after(async () => {
    takeBack();
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await started(child, port, said);
  return `http://127.0.0.1:${port}`;
}
