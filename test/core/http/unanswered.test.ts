import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { Connection } from './connection.ts';
import { UnrulyStore } from './unruly-store.ts';

const DEAD = `TICKET_${'0'.repeat(40)}`;
/** Long, so that one read holds few. */
const REQUEST = `GET /gate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${DEAD}\r\nX-Long: ${'x'.repeat(1_000)}\r\n\r\n`;
const LAST = REQUEST.replace('X-Long', 'Connection: close\r\nX-Long');
const SENT = 3_000;
/** More than are taken: a hundred, and those that came in one read with the last of them. */
const FEW = 300;

test('a client that sends without waiting for answers is read no further, and gets every answer in the end', async (t) => {
  const unruly = new UnrulyStore();
  const { url } = await startTestService(t, {}, unruly.open);
  const go = unruly.hold();
  const hasty = await Connection.open(url);
  hasty.say(REQUEST.repeat(SENT - 1) + LAST);
  await unruly.untilWaiting(100);

  // Time enough to read on, if the service did.
  for (let asked = 0; asked < 200; asked += 1) assert.equal((await fetch(`${url}/api/server`)).status, 200);
  const taken = unruly.waiting;
  go();
  const heard = await hasty.untilClosed();
  assert.equal(heard.split('HTTP/1.1 401 ').length - 1, SENT);
  assert.ok(taken <= FEW, `${taken} requests of one connection waited`);
  hasty.close();
});

const SHORT = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST_SHORT = SHORT.replace('Host', 'Connection: close\r\nHost');

test('a hundred requests in one read are all answered', async (t) => {
  const { url } = await startTestService(t);
  const hasty = await Connection.open(url);
  hasty.say(SHORT.repeat(99) + LAST_SHORT);
  const heard = await hasty.untilClosed();
  assert.equal(heard.split('HTTP/1.1 404 ').length - 1, 100);
});

test('a client that sends more than a hundred in one read is closed, and the rest of them is not handled', async (t) => {
  const { url, lines } = await startTestService(t);
  const flood = await Connection.open(url);
  // None of them asks for the connection to be closed.
  flood.say(SHORT.repeat(2_000));
  await flood.untilClosed();
  flood.close();
  assert.equal((await fetch(`${url}/api/server`)).status, 200);
  const refused = lines.filter((line) => line.includes('"path_unknown"'));
  assert.equal(refused.length, 100);
});

test('on a connection that was used before, a flood is closed after two hundred at most', async (t) => {
  const { url, lines } = await startTestService(t);
  const flood = await Connection.open(url);
  flood.say(SHORT);
  await flood.until(/HTTP\/1\.1 404 /);
  flood.say(SHORT.repeat(1_999) + LAST_SHORT);
  await flood.untilClosed();
  flood.close();
  assert.equal((await fetch(`${url}/api/server`)).status, 200);
  const refused = lines.filter((line) => line.includes('"path_unknown"'));
  assert.ok(refused.length <= 1 + 200, `${refused.length} requests were taken`);
});
