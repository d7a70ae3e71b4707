import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { olderPostgres, olderSqlite } from '../../engines/older-schemas.ts';
import { freePort } from '../../service/free-port.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { serve } from './serve.ts';

const BODY = JSON.stringify({ username: 'admin', password: PASSWORD });
const LOGIN = `POST /api/login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
/** Number of logins in each test, from the first accepted connection on. */
const LOGINS = 8;

/** Logs in over a new connection. Returns the status, or undefined if nothing listens. */
async function login(port: number): Promise<number | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write(LOGIN);
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

/** Whether the service reports that it is ready. */
const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );

/**
 * Starts the service and logs in again and again, from the moment its port accepts a connection. Every login has to
 * succeed. Once the service reports that it is ready, its port has to accept connections.
 */
async function everyLoginSucceeds(t: TestContext, env: Record<string, string>): Promise<void> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const service = serve(t, {
    env: {
      TESSERA_ADMIN_PASSWORD: PASSWORD,
      TESSERA_THROTTLE_AFTER: '0',
      ...env,
      TESSERA_PORT: String(port),
      TESSERA_METRICS_PORT: String(metricsPort),
    },
  });
  const statuses: number[] = [];
  const logInFromTheFirstOn = async () => {
    while (statuses.length < LOGINS) {
      const status = await login(port);
      if (status === undefined) await Promise.race([pause(1), service.ended.then(() => service.url)]);
      else statuses.push(status);
    }
  };
  const watchReadiness = async () => {
    while (!(await isReady(metricsPort)))
      await Promise.race([pause(1), service.ended.then(() => service.url)]);
    assert.equal(await login(port), 200, 'it was ready');
  };
  await Promise.all([logInFromTheFirstOn(), watchReadiness()]);
  assert.deepEqual(new Set(statuses), new Set([200]), String(statuses));
  service.kill('SIGTERM');
  assert.equal(await service.ended, 0);
}

for (const workers of ['1', '2']) {
  const title = `with ${workers === '1' ? 'one process' : 'two workers'}`;
  test(`the first login that the port accepts succeeds, at the first start and the next, ${title}`, async (t) => {
    const env = { TESSERA_DATA: await temporaryFolder(t), TESSERA_WORKERS: workers };
    await everyLoginSucceeds(t, env);
    await everyLoginSucceeds(t, env);
  });
}

test('the first login succeeds behind a migration that the start makes', async (t) => {
  const data = await temporaryFolder(t);
  olderSqlite(data, 1);
  await everyLoginSucceeds(t, { TESSERA_DATA: data });
});

const onPostgres = await testsOnPostgres();

onPostgres('the first login succeeds over PostgreSQL too, also behind a migration', async (t, server) => {
  const url = await server.freshDatabase();
  const data = await temporaryFolder(t);
  const env = {
    TESSERA_DATA: data,
    TESSERA_DATABASE: url,
    TESSERA_THROTTLE_KEY_FILE: join(data, 'throttle-key'),
    TESSERA_WORKERS: '2',
  };
  await writeFile(env.TESSERA_THROTTLE_KEY_FILE, randomBytes(32).toString('hex'));
  await everyLoginSucceeds(t, env);
  await olderPostgres(server, url, 1);
  await everyLoginSucceeds(t, env);
});
