import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Connection } from '../core/http/connection.ts';
import { serve } from '../crash/serve.ts';
import { childrenOf } from '../service/children.ts';
import { freePort } from '../service/free-port.ts';
import { PATIENCE } from '../service/patience.ts';
import { temporaryFolder } from '../service/start.ts';
import { logIn } from '../service/talk.ts';
import { eventually, until } from '../service/until.ts';
import { readiness, startTwo } from './two-workers.ts';

/** How many requests each worker answered. */
async function answers(metricsUrl: string): Promise<number[]> {
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  const counts = [...metrics.matchAll(/^tessera_requests_total\{worker="(\d)".* (\d+)$/gm)];
  return ['1', '2'].map((worker) =>
    counts.filter(([, one]) => one === worker).reduce((sum, [, , count]) => sum + Number(count), 0),
  );
}

const validate = async (url: string, ticket: string) =>
  (
    await fetch(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, {
      headers: { connection: 'close' },
    })
  ).status;

test('SIGUSR1 opens no debugger, which anybody on the machine could use, and ends no process', {
  timeout: PATIENCE,
}, async (t) => {
  const { url, child, said, logged } = await startTwo(t);
  const workers = childrenOf(child);
  for (const pid of [child.pid as number, ...workers]) process.kill(pid, 'SIGUSR1');
  const ticket = await logIn(url);
  for (let times = 0; times < 8; times += 1) assert.equal(await validate(url, ticket), 200);
  void logged();
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  assert.doesNotMatch(await said, /debugger|inspector/i);
});

test('a change by one worker holds for the next request to any worker', { timeout: PATIENCE }, async (t) => {
  const { url, metricsUrl } = await startTwo(t);
  for (let round = 0; round < 20; round += 1) {
    const ticket = await logIn(url);
    for (let times = 0; times < 4; times += 1) assert.equal(await validate(url, ticket), 200);
    const path = `${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
    assert.equal((await fetch(path, { method: 'DELETE' })).status, 200);
    for (let times = 0; times < 4; times += 1) assert.equal(await validate(url, ticket), 401);
  }
  for (const count of await answers(metricsUrl)) assert.ok(count > 0, 'each worker answers some');
});

test('a worker that ends is replaced, and what it had answered still holds', {
  timeout: PATIENCE,
}, async (t) => {
  const { url, metricsUrl, child } = await startTwo(t);
  const ticket = await logIn(url);
  const [lost = Number.NaN] = childrenOf(child);
  process.kill(lost, 'SIGKILL');
  await until('the worker is gone', () => !childrenOf(child).includes(lost));
  // The process that answers after that sends it no connection any more.
  await readiness(metricsUrl);
  assert.equal(await validate(url, ticket), 200);
  const areTwo = () => childrenOf(child).length === 2;
  await until('the worker is replaced', async () => areTwo() && (await readiness(metricsUrl)) === 200);
  assert.equal(await validate(url, ticket), 200);
});

test('workers that all end at once are replaced, also without a metrics port', {
  timeout: PATIENCE,
}, async (t) => {
  const settings = {
    TESSERA_WORKERS: '2',
    TESSERA_PORT: String(await freePort()),
    TESSERA_LOG_LEVEL: 'error',
  };
  let log = '';
  const { url, pid, kill, ended } = serve(t, await temporaryFolder(t), settings, (text) => {
    log += text;
  });
  const ticket = await logIn(await url);
  for (const worker of childrenOf({ pid })) process.kill(worker, 'SIGKILL');
  // A connection that is sent to a worker as it dies would never be answered.
  await until(
    'the ends of both workers are logged',
    () => log.split('\n').filter((line) => /worker (\d )?ended/.test(line)).length >= 2,
  );
  assert.equal(await eventually(async () => validate(await url, ticket)), 200);
  kill('SIGTERM');
  assert.equal((await ended).code, 0);
});

/** Loaded into the service: the library of its metrics cannot be found. */
const WITHOUT_METRICS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      if (name === 'prom-client') throw new Error('it is gone');
      return next(name, context);
    },
  });
`)}`;

test('a worker that cannot give its metrics logs why, and goes on serving', {
  timeout: PATIENCE,
}, async (t) => {
  const { metricsUrl, child, logged } = await startTwo(t, { NODE_OPTIONS: `--import ${WITHOUT_METRICS}` });
  const workers = childrenOf(child);
  assert.doesNotMatch(await (await fetch(`${metricsUrl}/metrics`)).text(), /worker=/);
  assert.deepEqual(childrenOf(child), workers);
  child.kill('SIGTERM');
  const faults = (await logged()).match(/"the metrics cannot be told: it is gone"/g);
  assert.equal(faults?.length, 2);
});

/** Loaded into the service: after SIGUSR2 no further process can be spawned, and after the next SIGUSR2 it can again. */
const UNSPAWNABLE = `data:text/javascript,${encodeURIComponent(`
  import cluster from 'node:cluster';
  const folders = ['/nowhere', process.cwd()];
  process.on('SIGUSR2', () => {
    cluster.setupPrimary({ cwd: folders[0] });
    folders.reverse();
  });
`)}`;

test('a worker that cannot be spawned is logged and tried again, and the others go on', {
  timeout: PATIENCE,
}, async (t) => {
  const { url, metricsUrl, child } = await startTwo(t, { NODE_OPTIONS: `--import ${UNSPAWNABLE}` });
  const told: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (lines: string) => told.push(lines));
  const ticket = await logIn(url);
  child.kill('SIGUSR2');
  process.kill(childrenOf(child)[0] as number, 'SIGKILL');
  const failed = () => told.join('').split('a worker cannot be started').length - 1;
  await until('it is told of, and of the next try', () => failed() >= 2);
  assert.equal(child.exitCode, null);
  assert.match(told.join(''), /ENOENT/);
  assert.doesNotMatch(told.join(''), /"level":"info"|"level":30/, 'TESSERA_LOG_LEVEL is error here');
  assert.equal(await validate(url, ticket), 200);
  assert.equal(await readiness(metricsUrl), 503);
  child.kill('SIGUSR2');
  await until('the worker is replaced', async () => (await readiness(metricsUrl)) === 200);
  assert.equal(childrenOf(child).length, 2);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

/** Loaded into the service: no process but the first can be spawned at the first try. */
const ONE_AT_FIRST = `data:text/javascript,${encodeURIComponent(`
  import cluster from 'node:cluster';
  const folders = ['/nowhere', process.cwd()];
  cluster.on('fork', () => {
    if (folders.length > 0) cluster.setupPrimary({ cwd: folders.shift() });
  });
`)}`;

test('once the first worker has started, a worker that cannot start does not end the service', {
  timeout: PATIENCE,
}, async (t) => {
  const { url, child, said } = await startTwo(t, { NODE_OPTIONS: `--import ${ONE_AT_FIRST}` });
  await logIn(url);
  assert.equal(childrenOf(child).length, 2);
  child.kill('SIGTERM');
  assert.match(await said, /Made the administrator "admin"[\s\S]*Tessera listens on/);
});

test('connections above what the workers take are closed and counted, not passed round', {
  timeout: PATIENCE,
}, async (t) => {
  const { url, metricsUrl } = await startTwo(t, {
    TESSERA_CONNECTIONS: '2',
    TESSERA_CONNECTIONS_PER_ADDRESS: '2',
  });
  const heard: string[] = [];
  for (let number = 0; number < 7; number += 1) {
    const connection = await Connection.open(url);
    t.after(() => connection.close());
    connection.say('GET /api/server HTTP/1.1\r\nHost: localhost\r\n\r\n');
    heard.push(await connection.until(/"schema":/).catch(() => connection.untilClosed()));
  }
  const answered = heard.filter((text) => text !== '').length;
  assert.ok(answered >= 2 && answered <= 4, `${answered} answered`);
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  const counts = [
    ...metrics.matchAll(/^tessera_connections_dropped_total\{worker="\d",reason="all"\} (\d+)$/gm),
  ];
  assert.equal(
    counts.reduce((sum, [, count]) => sum + Number(count), 0),
    heard.length - answered,
  );
});

test('all workers stop with the service, properly', { timeout: PATIENCE }, async (t) => {
  const { child, said } = await startTwo(t);
  const pids = childrenOf(child);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), /ESRCH/);
  assert.match(await said, /Made the administrator "admin"[\s\S]*Tessera listens on/);
});

test('no connection is closed while another worker still takes new ones', {
  timeout: PATIENCE,
}, async (t) => {
  const { url, child } = await startTwo(t);
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: 8 }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.resume();
  }
  const ended = Promise.race(sockets.map((socket) => once(socket, 'close')));
  const slow = childrenOf(child)[1] ?? assert.fail('no second worker');
  process.kill(slow, 'SIGSTOP');
  child.kill('SIGTERM');
  setTimeout(() => process.kill(slow, 'SIGCONT'), 300);
  await ended;
  const another = connect(Number(port), hostname);
  t.after(() => another.destroy());
  await assert.rejects(once(another, 'connect'), { code: 'ECONNREFUSED' });
});

test('log lines of workers stay whole, however slowly they are read', { timeout: PATIENCE }, async (t) => {
  const { url, child, logged } = await startTwo(t, { TESSERA_LOG_LEVEL: 'info' });
  const ticket = await logIn(url);
  for (let times = 0; times < 60; times += 1)
    await Promise.all(Array.from({ length: 32 }, () => validate(url, ticket)));
  child.kill('SIGTERM');
  const lines = (await logged()).trimEnd().split('\n');
  assert.equal(lines.filter((line) => line.includes('loginticket.get')).length, 1_920);
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line);
});

test('a first worker that ends, or cannot be spawned, before it has started is reported in one sentence', {
  timeout: PATIENCE,
}, async (t) => {
  const inWorker = (act: string) => `import cluster from 'node:cluster'; if (cluster.isWorker) ${act};`;
  const ended = (how: string) =>
    `worker 1 ended with ${how} before it had started: see what it wrote before this, and where that is nothing, the system's journal, such as for a limit of memory\n`;
  for (const [program, told] of [
    [inWorker('process.exit(3)'), ended('code 3')],
    [inWorker("process.kill(process.pid, 'SIGKILL')"), ended('SIGKILL')],
    [
      "import cluster from 'node:cluster'; cluster.on('fork', () => undefined); const set = cluster.setupPrimary; cluster.setupPrimary = (how) => set.call(cluster, { ...how, cwd: '/nowhere' });",
      /^worker 1 cannot be started: spawn .* ENOENT: see what the system allows this user .*\n$/,
    ],
  ] as const) {
    const preload = `data:text/javascript,${encodeURIComponent(program)}`;
    const { child, said } = await startTwo(t, { NODE_OPTIONS: `--import ${preload}` });
    assert.equal(child.exitCode ?? (await once(child, 'exit'))[0], 1);
    if (typeof told === 'string') assert.equal(await said, told);
    else assert.match(await said, told);
  }
});

test('what keeps workers from starting is reported once, as by a single process', {
  timeout: PATIENCE,
}, async (t) => {
  const { url } = await startTwo(t);
  const { child, said } = await startTwo(t, { TESSERA_PORT: new URL(url).port });
  if (child.exitCode === null) await once(child, 'exit');
  assert.equal(child.exitCode, 1);
  assert.match(
    await said,
    /^cannot listen on 127\.0\.0\.1 port \d+ \(TESSERA_PORT\): another program, perhaps Tessera itself, listens there.*\n$/,
  );
});
