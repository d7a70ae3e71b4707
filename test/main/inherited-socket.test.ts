import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { SettingsFaulty } from '../../src/core/settings/read.ts';
import { inheritedPlace } from '../../src/main/commands/inherited-place.ts';
import { BIN, environment } from '../faces/cli/command.ts';
import { afterwards } from '../service/afterwards.ts';
import { certificateFiles, tlsSettings } from '../service/certified.ts';
import { freePort } from '../service/free-port.ts';
import { PASSWORD, temporaryFolder } from '../service/start.ts';
import { until } from '../service/until.ts';

const TOOL = '/usr/bin/systemd-socket-activate';

/** Why nothing can play systemd here; with TESSERA_TEST_ALL=1 that is a failure. */
function whyNot(): string | undefined {
  if (existsSync(TOOL)) return undefined;
  const why = `no ${TOOL} (Debian: apt-get install systemd); TESSERA_TEST_ALL=1 makes that a failure`;
  if (process.env.TESSERA_TEST_ALL === '1') throw new Error(why);
  return why;
}

const skip = whyNot() ?? false;

/** Runs a script that has the socket at `place` as systemd passes it, until the test ends. The first connection starts it. */
function activate(t: TestContext, place: string, script: string, env: Record<string, string>) {
  const given = Object.entries(
    environment({ TESSERA_METRICS_PORT: '0', TESSERA_ADMIN_PASSWORD: PASSWORD, ...env }),
  );
  const passed = given.flatMap(([name, value]) => (value === undefined ? [] : ['-E', `${name}=${value}`]));
  const child = spawn(TOOL, ['-l', place, ...passed, 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close');
  child.stdout.resume();
  const said = text(child.stderr);
  afterwards(t, async () => {
    // All of its group: the shell, and the service that it started.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  return { said, ended };
}

/** Asks for the version by a new connection. Resolves to the status; undefined if nobody answers. */
async function ask(to: { socketPath: string } | { port: number }): Promise<number | undefined> {
  const sent = request({ ...to, path: '/api/server', headers: { host: 'localhost' }, agent: false });
  try {
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  } catch {
    return undefined;
  }
}

/** The process as which the service runs; `$$` keeps its number when the shell becomes the service. */
const SERVE = `sh -c 'echo $$ > "$TESSERA_DATA.pid"; LISTEN_PID=$$ exec "${BIN}/tessera" serve'`;

test('a service that is restarted refuses and cuts off no connection to a socket that outlives it', {
  skip,
}, async (t) => {
  const folder = await temporaryFolder(t);
  const [socketPath, data] = [join(folder, 'http.sock'), join(folder, 'data')];
  activate(t, socketPath, `while :; do ${SERVE}; done`, { TESSERA_DATA: data });
  await until('the socket is there', () => existsSync(socketPath));
  const statuses: (number | undefined)[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) statuses.push(await ask({ socketPath }));
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  const pid = () => Number(readFileSync(`${data}.pid`, 'utf8'));
  for (let restart = 0; restart < 2; restart += 1) {
    const before = statuses.length;
    await until('it answers', () => statuses.length > before + 20);
    const first = pid();
    process.kill(first, 'SIGTERM');
    await until('another process is there', () => pid() !== first);
  }
  const before = statuses.length;
  await until('that one answers', () => statuses.length > before + 20);
  isOver = true;
  await clients;
  assert.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
  );
  assert.ok(existsSync(socketPath), 'the socket is not the service’s to remove');
});

test('a port that is passed is listened on, and not the one of the settings', { skip }, async (t) => {
  const port = await freePort();
  activate(t, `127.0.0.1:${port}`, `${SERVE}; exit 0`, {
    TESSERA_DATA: join(await temporaryFolder(t), 'data'),
    TESSERA_HOST: 'unix:/nowhere/http.sock',
  });
  await until('it answers', async () => (await ask({ port })) === 200);
});

test('what was passed and cannot be served ends the start, with the mend', { skip }, async (t) => {
  const folder = await temporaryFolder(t);
  const refused = async (env: Record<string, string>) => {
    const socketPath = join(folder, `${Object.keys(env)[0]}.sock`);
    const { said, ended } = activate(t, socketPath, `exec ${SERVE}`, {
      TESSERA_DATA: join(folder, 'data'),
      ...env,
    });
    await until('the socket is there', () => existsSync(socketPath));
    await ask({ socketPath });
    await ended;
    return said;
  };
  assert.match(
    await refused({ TESSERA_WORKERS: '2' }),
    /TESSERA_WORKERS: a socket that is passed .*: set 1\n/,
  );
  assert.match(
    await refused(tlsSettings(certificateFiles(t))),
    /cannot listen on the socket that was passed \(LISTEN_FDS\): a Unix socket does not speak TLS: remove/,
  );
});

test('what is passed is a socket for this process alone, and one', () => {
  const placeOf = (env: NodeJS.ProcessEnv) => {
    const place = inheritedPlace(env, 7);
    assert.deepEqual(Object.keys(env), []);
    return place?.fd;
  };
  assert.equal(placeOf({}), undefined);
  assert.equal(placeOf({ LISTEN_FDS: '1' }), undefined);
  assert.equal(placeOf({ LISTEN_PID: '8', LISTEN_FDS: '1', LISTEN_FDNAMES: 'tessera.socket' }), undefined);
  assert.equal(placeOf({ LISTEN_PID: '7', LISTEN_FDS: '0' }), undefined);
  assert.equal(placeOf({ LISTEN_PID: '7', LISTEN_FDS: '1', LISTEN_FDNAMES: 'tessera.socket' }), 3);
  for (const LISTEN_FDS of ['2', 'x', '-1', '', undefined])
    assert.throws(
      () => inheritedPlace({ LISTEN_PID: '7', LISTEN_FDS, LISTEN_FDNAMES: 'a:b' }, 7),
      (error) => {
        assert.ok(error instanceof SettingsFaulty);
        return /sockets were passed \(a, b\), and the service takes one/.test(error.message);
      },
    );
});
