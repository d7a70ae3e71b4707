import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CommandRefused } from '../../faces/cli/failure.ts';
import { withCleanup } from '../../faces/cli/interruption.ts';
import { temporaryFolder } from '../../faces/cli/temporary-folder.ts';
import type { Terminal } from '../../faces/cli/terminal.ts';
import { type LoadResult, load } from './load.ts';

/** The measurement of validations. */
export interface ValidationFinding extends LoadResult {
  readonly connections: number;
  readonly logLevel: string;
}

const CONNECTIONS = 64;
/** Milliseconds of load before the measurement. */
const WARM_UP = 500;
/** Milliseconds that the service may take to listen. */
const DEADLINE = 15_000;

/** The command line of this program, in TypeScript or compiled. */
const MAIN = fileURLToPath(new URL(`../../main/command-line${import.meta.url.slice(-3)}`, import.meta.url));

/** The environment without Tessera's settings. */
function surroundings(env: Terminal['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TESSERA_')));
}

/** The measured service ended before it listened. The message repeats its output. */
class ServiceNotStarted extends Error {
  override name = 'ServiceNotStarted';

  constructor(printed: string) {
    super(`The service to measure did not start: ${printed.trimEnd()}`);
  }
}

/** Waits for the URL of a service. Throws when it ends, or does not listen within the deadline. */
async function urlOf(service: ChildProcess): Promise<URL> {
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  let said = '';
  service.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const url = /listens on (\S+)\n/.exec(said)?.[1];
    if (url !== undefined) resolve(new URL(url));
  });
  service.once('error', reject);
  service.once('close', () => reject(new ServiceNotStarted(said)));
  const late = setTimeout(
    () => reject(new CommandRefused('The service to measure does not listen.')),
    DEADLINE,
  );
  return await promise.finally(() => clearTimeout(late));
}

async function ticketFrom(url: URL, password: string): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password });
  const answer = await fetch(new URL('/api/login', url), { method: 'POST', body });
  const { data }: { data?: { ticket: string } } = JSON.parse(await answer.text());
  if (data === undefined)
    throw new CommandRefused(`The service to measure refused the login: ${answer.status}.`);
  return data.ticket;
}

async function end(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null || service.pid === undefined) return;
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
}

/**
 * Starts a service with default settings and this log level, in a temporary data folder and on a free local port, and
 * validates a ticket there for `length` milliseconds.
 */
export async function measureValidations(
  logLevel: string,
  length: number,
  env: Terminal['env'],
): Promise<ValidationFinding> {
  const data = temporaryFolder('calibrate');
  const password = randomBytes(24).toString('base64url');
  const service = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      ...surroundings(env),
      TESSERA_DATA: data,
      TESSERA_PORT: '0',
      TESSERA_METRICS_PORT: '0',
      TESSERA_LOG_LEVEL: logLevel,
      TESSERA_ADMIN_PASSWORD: password,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const measure = async () => {
    try {
      const url = await urlOf(service);
      const ticket = await ticketFrom(url, password);
      const path = `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
      await load(url, path, { connections: CONNECTIONS, length: WARM_UP });
      const counted = await load(url, path, { connections: CONNECTIONS, length });
      return { ...counted, connections: CONNECTIONS, logLevel };
    } finally {
      await end(service);
      await rm(data, { recursive: true, force: true });
    }
  };
  // A signal ends the service, so that the measurement fails and removes its folder.
  return withCleanup(measure, () => service.kill('SIGTERM'));
}
