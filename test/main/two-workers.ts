import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { afterwards } from '../service/afterwards.ts';
import { freePort } from '../service/free-port.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { until } from '../service/until.ts';

export const TESSERA = fileURLToPath(new URL('../../bin/tessera', import.meta.url));

/** The service as two workers, running. */
export interface Running {
  readonly url: string;
  readonly metricsUrl: string;
  readonly child: ChildProcess;
  /** What it printed for a person. */
  readonly said: Promise<string>;
  /** Reads its log from the beginning to the end. Until this is called, the pipe fills. */
  readonly logged: () => Promise<string>;
}

/** The service as two workers, as the command line starts it in this folder. */
export async function startTwo(
  t: TestContext,
  more: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<Running> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    TESSERA_WORKERS: '2',
    TESSERA_PORT: String(port),
    TESSERA_METRICS_PORT: String(metricsPort),
    TESSERA_DATA: await temporaryFolder(t),
    TESSERA_ADMIN_PASSWORD: PASSWORD,
    TESSERA_HASH_MEMORY: '8',
    TESSERA_HASH_PASSES: '1',
    TESSERA_LOG_LEVEL: 'error',
    ...more,
  };
  const child = spawn(TESSERA, ['serve'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const said = text(child.stderr);
  const logged = () => text(child.stdout);
  const urls = { url: `http://127.0.0.1:${port}`, metricsUrl: `http://127.0.0.1:${metricsPort}` };
  await until(
    'the service is ready, or has ended',
    async () => child.exitCode !== null || (await readiness(urls.metricsUrl)) === 200,
  );
  return { ...urls, child, said, logged };
}

/** The status of its readiness; 0 if nothing answers. */
export async function readiness(metricsUrl: string): Promise<number> {
  return fetch(`${metricsUrl}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  );
}
