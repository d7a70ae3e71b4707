import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { eventually } from '../../service/until.ts';
import { answersIn, Connection } from './connection.ts';
import { assertSound } from './scenario.ts';

const SERVER = 'GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n';
const WARN = 40;
const ANSWERED = /"schema":"2039"\}\}$/;

test('connections above the limit are closed and logged, and the others are still served', async (t) => {
  const { url, lines, watched } = await startTestService(t, {
    TESSERA_CONNECTIONS: '3',
    TESSERA_CONNECTIONS_PER_ADDRESS: '100%',
  });
  const within = [await Connection.open(url), await Connection.open(url), await Connection.open(url)];
  for (const connection of within) {
    connection.say(SERVER);
    await connection.until(ANSWERED);
  }
  const beyond = await Connection.open(url);
  assert.equal(await beyond.untilClosed(), '');
  assert.match(await watched.metrics.text(), /^tessera_connections_dropped_total\{reason="all"\} 1$/m);
  const [told = ''] = lines.filter((line) => line.includes('TESSERA_CONNECTIONS'));
  const { level, connections } = JSON.parse(told);
  assert.deepEqual({ level, connections }, { level: WARN, connections: 1 });

  for (const connection of within) {
    connection.say(SERVER);
    await connection.until(new RegExp(`${ANSWERED.source.slice(0, -1)}[^]*${ANSWERED.source}`));
  }
  within[0]?.close();
  await within[0]?.untilClosed();
  const answer = await retried(url);
  assert.match(answer, ANSWERED);
  for (const connection of within) connection.close();
});

/** The answer to a request, which is sent again until there is room for its connection. */
const retried = (url: string) =>
  eventually(async () => {
    const connection = await Connection.open(url);
    connection.say(SERVER);
    return connection.until(ANSWERED).finally(() => connection.close());
  });

test('a refused client that never closes its side is closed after a moment', async (t) => {
  const { url } = await startTestService(t, { TESSERA_CONNECTIONS: '1' });
  const refused: [name: string, bytes: string][] = [
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a header that is too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['stray bytes', `${SERVER}{}`],
    ['a body that is too large', 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n'],
  ];
  for (const [name, bytes] of refused) {
    await t.test(`after ${name}`, async () => {
      const stubborn = await Connection.open(url, { stubborn: true });
      stubborn.say(bytes);
      await stubborn.untilClosed();
      assert.match(await retried(url), ANSWERED);
      stubborn.close();
    });
  }
});

/** More than the buffers of a connection hold. */
const TIMES = 20;
const LONG = 'GET /alfresco/service/reference/script HTTP/1.1\r\nHost: x\r\n\r\n';

const BEFORE: readonly [name: string, bytes: string][] = [
  ['nothing', ''],
  ['a request', SERVER],
  ['a request whose long answer it does not read', LONG],
  ['many such requests', LONG.repeat(TIMES)],
];
for (const [name, bytes] of BEFORE) {
  test(`a client that after ${name} sends a header byte by byte is closed after a while`, async (t) => {
    const limits = {
      TESSERA_CONNECTIONS: '1',
      TESSERA_REQUEST_DEADLINE: 'PT0.3S',
      TESSERA_INDEX: 'public',
    };
    const { url } = await startTestService(t, limits);
    const port = Number(new URL(url).port);
    const dripping = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause();
    dripping.on('error', () => undefined).write(`${bytes}GET / HTTP/1.1\r\nHost: x\r\nX: `);
    const drip = setInterval(() => dripping.write('x'), 50);
    t.after(() => {
      clearInterval(drip);
      dripping.destroy();
    });
    await once(dripping, 'connect');
    assert.match(await retried(url), ANSWERED);
  });
}

test('a client that goes away in the middle of a body no longer counts', async (t) => {
  const { url } = await startTestService(t, { TESSERA_CONNECTIONS: '1' });
  const leaving = await Connection.open(url);
  leaving.say('POST /api/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99\r\n\r\n{');
  await leaving.until(/100 Continue/);
  leaving.close();
  assert.match(await retried(url), ANSWERED);
});

test('a client that reads none of its answers is closed after a while', async (t) => {
  const limits = {
    TESSERA_CONNECTIONS: '1',
    TESSERA_REQUEST_DEADLINE: 'PT0.3S',
    TESSERA_INDEX: 'public',
  };
  const { url } = await startTestService(t, limits);
  const silent = connect(Number(new URL(url).port), '127.0.0.1').pause();
  t.after(() => silent.destroy());
  silent.on('error', () => undefined).write(LONG.repeat(TIMES));
  assert.match(await retried(url), ANSWERED);
});

test('a client that reads slowly gets its whole answer', async (t) => {
  const { url } = await startTestService(t, { TESSERA_REQUEST_DEADLINE: 'PT0.3S', TESSERA_INDEX: 'public' });
  const { length } = await (await fetch(`${url}/reference/script`)).text();
  const slow = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => slow.destroy());
  slow.write(LONG.repeat(TIMES));
  let [bytes, pauseAt] = [0, 0];
  for await (const chunk of slow) {
    bytes += chunk.length;
    if (bytes > TIMES * length) break;
    if (bytes < pauseAt) continue;
    pauseAt = bytes + length;
    await pause(100);
  }
  assert.ok(bytes > TIMES * length, `${bytes} bytes`);
});

test('a slow client', async (t) => {
  const { url } = await startTestService(t, { TESSERA_REQUEST_DEADLINE: 'PT0.3S', TESSERA_INDEX: 'public' });
  const login = JSON.stringify({ username: 'admin', password: PASSWORD });
  const slow: [name: string, bytes: string][] = [
    ['never says anything', ''],
    ['never ends its header', 'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-'],
    ['never ends its body', `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n${login}`],
    [
      'never ends its chunks',
      'POST /api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n',
    ],
    [
      'never sends the body that a logout announced',
      'DELETE /api/login/ticket/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
    ],
  ];
  await Promise.all(
    slow.map(([name, bytes]) =>
      t.test(`that ${name} is answered 408 and closed`, async () => {
        const connection = await Connection.open(url);
        connection.say(bytes);
        const heard = await connection.untilClosed().finally(() => connection.close());
        const [answer, ...more] = answersIn(heard);
        assert.equal(answer?.status, 408);
        assertSound(answer);
        assert.deepEqual(more, []);
      }),
    ),
  );

  await t.test('holds up nobody else', async () => {
    const held = await Connection.open(url);
    held.say('GET /api/server HTTP/1.1\r\n');
    const quick = await Connection.open(url);
    quick.say(SERVER);
    await quick.until(ANSWERED);
    quick.close();
    held.close();
  });
});
