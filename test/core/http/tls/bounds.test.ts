import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectOverTls } from 'node:tls';
import { certificateFiles, tlsSettings } from '../../../service/certified.ts';
import { startTestService } from '../../../service/start.ts';
import { eventually } from '../../../service/until.ts';
import { answersIn, Connection } from '../connection.ts';
import { UnrulyStore } from '../unruly-store.ts';

const REQUEST = 'GET /api/server HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const ANSWERED = /"schema":"2039"\}\}$/;
/** An answer that, requested this many times, is more than the buffers of a connection hold. */
const LONG = 'GET /reference/script HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const TIMES = 20;
/** A deadline that a busy machine meets, and that a test can wait for. */
const SHORT = 'PT2S';
/** The deadline of a stop that has nothing to wait for. Reaching it fails the test. */
const FAR = 'PT1M';

const startOverTls = (t: TestContext, env: Record<string, string>) =>
  startTestService(t, { ...tlsSettings(certificateFiles(t)), TESSERA_INDEX: 'public', ...env });

/** The answer to a request, which is sent again until there is room for its connection. */
const retried = (url: string) =>
  eventually(async () => {
    const connection = await Connection.open(url);
    connection.say(REQUEST);
    return connection.until(ANSWERED).finally(() => connection.close());
  });

/** A connection below TLS. */
function bare(t: TestContext, url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  return socket.on('error', () => undefined);
}

for (const [name, drips] of [
  ['is never begun', false],
  ['comes a byte at a time', true],
] as const) {
  test(`a handshake that ${name} is closed at the deadline of a request`, async (t) => {
    const { url } = await startOverTls(t, {
      TESSERA_CONNECTIONS: '1',
      TESSERA_REQUEST_DEADLINE: SHORT,
    });
    const socket = bare(t, url);
    // The head of a record of which the rest never comes.
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
    const drip = drips ? setInterval(() => socket.write(Buffer.from([1])), 50) : undefined;
    t.after(() => clearInterval(drip));
    await once(socket, 'connect');
    assert.match(await retried(url), ANSWERED);
  });
}

for (const [name, bytes] of [
  ['never says anything', ''],
  ['never ends its header', 'GET /api/server HTTP/1.1\r\nHost'],
  ['never ends its body', 'POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{'],
] as const) {
  test(`a client that ${name} is answered 408 over TLS, and closed`, async (t) => {
    const { url } = await startOverTls(t, { TESSERA_REQUEST_DEADLINE: SHORT });
    const connection = await Connection.open(url);
    connection.say(bytes);
    const [answer] = answersIn(await connection.untilClosed().finally(() => connection.close()));
    assert.equal(answer?.status, 408);
  });
}

/** A connection whose answers the test reads when it wants. */
function reader(t: TestContext, url: string) {
  const socket = connectOverTls({
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    rejectUnauthorized: false,
  });
  t.after(() => socket.destroy());
  return socket.on('error', () => undefined);
}

test('a client that reads none of its answers over TLS is closed after a while', async (t) => {
  const { url } = await startOverTls(t, { TESSERA_CONNECTIONS: '1', TESSERA_REQUEST_DEADLINE: SHORT });
  const socket = reader(t, url).pause();
  socket.write(LONG.repeat(TIMES));
  await once(socket, 'secureConnect');
  assert.match(await retried(url), ANSWERED);
});

test('a client that reads slowly over TLS gets its whole answer', async (t) => {
  const { url } = await startOverTls(t, { TESSERA_REQUEST_DEADLINE: SHORT });
  const quick = reader(t, url);
  quick.write(LONG.replace('Host', 'Connection: close\r\nHost'));
  let length = 0;
  for await (const chunk of quick) length += chunk.length;
  const slow = reader(t, url);
  slow.write(LONG.repeat(TIMES));
  let [bytes, pauseAt] = [0, 0];
  for await (const chunk of slow) {
    bytes += chunk.length;
    if (bytes >= TIMES * length) break;
    if (bytes < pauseAt) continue;
    pauseAt = bytes + length;
    await pause(200);
  }
  assert.ok(bytes >= TIMES * length, `${bytes} bytes of ${TIMES} times ${length}`);
});

for (const [limit, reason] of [
  ['TESSERA_CONNECTIONS', 'all'],
  ['TESSERA_CONNECTIONS_PER_ADDRESS', 'address'],
] as const) {
  test(`connections over TLS beyond ${limit} are closed and counted`, async (t) => {
    const { url, watched, lines } = await startOverTls(t, { [limit]: '1' });
    const within = await Connection.open(url);
    within.say(REQUEST);
    await within.until(ANSWERED);
    await assert.rejects(Connection.open(url));
    const count = new RegExp(`^tessera_connections_dropped_total\\{reason="${reason}"\\} 1$`, 'm');
    assert.match(await watched.metrics.text(), count);
    assert.ok(!lines.some((line) => line.includes('handshake')), 'it is not reported a second time');
    within.close();
    assert.match(await retried(url), ANSWERED);
  });
}

test('unanswered requests are limited over TLS too', async (t) => {
  const unruly = new UnrulyStore();
  const { url } = await startTestService(t, tlsSettings(certificateFiles(t)), unruly.open);
  const asking = `GET /gate HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer TICKET_${'0'.repeat(40)}\r\n`;
  const padded = `${asking}X-Long: ${'x'.repeat(1_000)}\r\n\r\n`;
  const go = unruly.hold();
  const hasty = await Connection.open(url);
  hasty.say(padded.repeat(999) + padded.replace('X-Long', 'Connection: close\r\nX-Long'));
  await unruly.untilWaiting(100);
  // Time enough to read on, if the service did.
  for (let asked = 0; asked < 50; asked += 1) assert.match(await retried(url), ANSWERED);
  const taken = unruly.waiting;
  go();
  const heard = await hasty.untilClosed();
  assert.equal(heard.split('HTTP/1.1 401 ').length - 1, 1_000);
  assert.ok(taken <= 300, `${taken} requests of one connection waited`);
});

test('a flood of requests in one record is closed, and many requests that are answered are not', async (t) => {
  const { url } = await startOverTls(t, {});
  const flood = await Connection.open(url);
  flood.say('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500));
  const heard = await flood.untilClosed();
  assert.ok(heard.split('HTTP/1.1 404 ').length - 1 < 250);
  const patient = await Connection.open(url);
  for (let times = 1; times <= 300; times += 1) {
    patient.say(REQUEST);
    await patient.untilIt((said) => said.split('"schema"').length - 1 === times);
  }
  patient.close();
});

test('a stop waits neither for handshakes nor for connections without a request, and lets requests finish', {
  timeout: 120_000,
}, async (t) => {
  const unruly = new UnrulyStore();
  const settings = { ...tlsSettings(certificateFiles(t)), TESSERA_STOP_DEADLINE: FAR };
  const service = await startTestService(t, { ...settings, TESSERA_REQUEST_DEADLINE: FAR }, unruly.open);
  const { url } = service;
  const handshaking = bare(t, url);
  await once(handshaking, 'connect');
  const silent = await Connection.open(url);
  const idle = await Connection.open(url);
  idle.say(REQUEST);
  await idle.until(ANSWERED);
  const go = unruly.hold();
  const asking = await Connection.open(url);
  asking.say(`GET /gate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TICKET_${'0'.repeat(40)}\r\n\r\n`);
  await unruly.untilWaiting(1);
  const stopping = service.stop();
  await Promise.all([silent.untilClosed(), idle.untilClosed()]);
  go();
  const [answer] = answersIn(await asking.untilClosed());
  assert.equal(answer?.status, 401);
  assert.equal(answer.headers.connection, 'close');
  const late = pause(30_000, undefined, { ref: false }).then(() =>
    assert.fail('the stop waited for its deadline'),
  );
  await Promise.race([stopping, late]);
});
