import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { atExit } from './at-exit.ts';

const PATIENCE = 15_000;
/** Where Debian's package puts it, which is not on everybody's path. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin`;

/** Why no nginx can be started here; nothing when one can. With TESSERA_TEST_ALL=1 that is a failure. */
export function whyNoNginx(): string | undefined {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'pipe', env: { ...process.env, PATH } });
    return undefined;
  } catch {
    const why = 'no nginx (Debian: apt-get install nginx); TESSERA_TEST_ALL=1 makes that a failure';
    if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
    return why;
  }
}

/** The whole configuration around what a page shows: nothing is written outside of the folder. */
function configuration(folder: string, http: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const root = process.getuid?.() === 0 ? 'user root;' : '';
  return `${root}
daemon off;
master_process off;
pid ${join(folder, 'pid')};
error_log ${join(folder, 'error.log')} info;
events { worker_connections 128; }
http {
access_log off;
${kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n')}
${http}
}
`;
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

async function started(child: ChildProcess, port: number, folder: string): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE;
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > giveUpAt)
      throw new Error(`nginx did not start: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
    await pause(20);
  }
}

/**
 * Starts a real nginx in the foreground, with `http` inside of its http block, in which it listens on `port`. It is
 * stopped and its folder gone after the test.
 */
export async function startNginx(t: TestContext, http: string, port: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, http));
  const words = ['-p', folder, '-c', file, '-e', join(folder, 'error.log')];
  const child = spawn('nginx', words, { stdio: 'ignore', env: { ...process.env, PATH } });
  // A test run that is cut short leaves nothing behind; the server may write for a moment yet.
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
  await started(child, port, folder);
  return `http://127.0.0.1:${port}`;
}
