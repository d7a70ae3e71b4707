import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { answersIn, Connection } from '../connection.ts';
import { UnrulyStore } from '../unruly-store.ts';

const SERVER = 'GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n';
const CLOSE = SERVER.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
const right = JSON.stringify({ username: 'admin', password: PASSWORD });
const login = (body: string) =>
  `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const statusesIn = (heard: string) => answersIn(heard).map(({ status }) => status);

test('requests that come while a plain request is answered are answered after it, in their order', async (t) => {
  const unruly = new UnrulyStore();
  const { url } = await startTestService(t, {}, unruly.open);
  const ticket = await logIn(url);
  const go = unruly.hold();
  const hasty = await Connection.open(url);
  hasty.say(`GET /api/login/ticket/${ticket}?alf_ticket=${ticket} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await unruly.untilWaiting(1);
  hasty.say(SERVER);
  hasty.say(SERVER.replace('server', 'nowhere') + CLOSE);
  go();
  assert.deepEqual(statusesIn(await hasty.untilClosed()), [200, 200, 404, 200]);
});

test('a body of many pieces after plain requests is read whole', async (t) => {
  const { url } = await startTestService(t);
  const client = await Connection.open(url);
  client.say(SERVER);
  await client.until(/\}\}$/);
  client.say(login(right.replace('{', `{${' '.repeat(60_000)}`)));
  await client.until(/"ticket"/);
  client.say(CLOSE);
  assert.deepEqual(statusesIn(await client.untilClosed()), [200, 200, 200]);
});

test('a plain request whose sender closes its side is answered, and the connection is closed', async (t) => {
  const unruly = new UnrulyStore();
  const { url } = await startTestService(t, {}, unruly.open);
  const ticket = await logIn(url);
  const go = unruly.hold();
  const client = await Connection.open(url, { stubborn: true });
  client.sayLast(`GET /api/login/ticket/${ticket}?alf_ticket=${ticket} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await unruly.untilWaiting(1);
  await client.untilEndIsRead();
  go();
  const [answer] = answersIn(await client.untilClosed());
  assert.equal(answer?.status, 200);
  assert.equal(answer.headers.connection, 'close');
});

test('a connection that is reset while a plain request is answered does no harm', async (t) => {
  const unruly = new UnrulyStore();
  const { url, lines } = await startTestService(t, {}, unruly.open);
  const ticket = await logIn(url);
  const go = unruly.hold();
  const client = await Connection.open(url);
  client.say(`GET /api/login/ticket/${ticket}?alf_ticket=${ticket} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await unruly.untilWaiting(1);
  client.close();
  go();
  assert.equal((await fetch(`${url}/api/server`)).status, 200);
  assert.deepEqual(
    lines.filter((line) => /"level":(50|60)/.test(line)),
    [],
  );
});
