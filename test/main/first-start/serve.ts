import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { BIN, environment, type Surroundings } from '../../faces/cli/command.ts';
import { afterwards } from '../../service/afterwards.ts';

/** Any free ports, so that services of different tests do not collide. */
export const FREE_PORTS = { TESSERA_PORT: '0', TESSERA_METRICS_PORT: '0' };

/** The real service, started without a terminal. */
export interface Served {
  /** Its output for the operator so far, without the log. */
  readonly told: () => string;
  /** The log so far. */
  readonly log: () => string;
  /** Its address, once it listens. If it ends first, throws with its output. */
  readonly url: Promise<string>;
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts `tessera serve`, and stops it after the test if it still runs. */
export function serve(t: TestContext, { cwd, env }: Surroundings, program = `${BIN}/tessera`): Served {
  const child = spawn(program, ['serve'], {
    cwd,
    env: environment({ ...FREE_PORTS, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.withResolvers<number | null>();
  const url = Promise.withResolvers<string>();
  let told = '';
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    const listens = /^Tessera listens on (\S+)\n/m.exec(told);
    if (listens?.[1] !== undefined) url.resolve(listens[1]);
  });
  child.on('error', ended.reject).on('close', ended.resolve);
  ended.promise.then((code) => url.reject(new Error(`ended with ${code}:\n${told}`)), url.reject);
  url.promise.catch(() => undefined);
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended.promise;
  });
  return {
    told: () => told,
    log: () => log,
    url: url.promise,
    ended: ended.promise,
    kill: (signal) => void child.kill(signal),
  };
}

/** The curl line in the output for the operator. */
export function curlLine(told: string): string {
  const line = /^ *(curl .*)$/m.exec(told)?.[1];
  if (line === undefined) throw new Error(`no curl line in:\n${told}`);
  return line;
}

/** The answer to a login. */
export const TICKET_ANSWER = /^\{\s*"data":\s*\{\s*"ticket":"TICKET_[0-9a-f]{40}"\s*\}\s*\}\s*$/;
