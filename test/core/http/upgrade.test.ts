import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { answersIn, Connection, converse } from './connection.ts';
import { requestsIn } from './log-lines.ts';
import { assertSound } from './scenario.ts';
import { UnrulyStore } from './unruly-store.ts';

const UPGRADE = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const GET = 'GET /api/server HTTP/1.1\r\nHost: x\r\n';
const BEHIND = `${GET}\r\n`;
const body = JSON.stringify({ username: 'admin', password: PASSWORD });
const LOGIN = `POST /api/login HTTP/1.1\r\nHost: x\r\n${UPGRADE}Content-Length: ${body.length}\r\n\r\n${body}`;

const ASKED: readonly [name: string, bytes: string, status: number][] = [
  ['alone', `${GET}${UPGRADE}\r\n`, 200],
  ['with a whole request behind it', `${GET}${UPGRADE}\r\n${BEHIND}`, 200],
  ['with a part of a request behind it', `${GET}${UPGRADE}\r\nGET /api/se`, 200],
  ['to WebSocket', `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n${BEHIND}`, 200],
  ['without naming it in Connection', `${GET}Upgrade: h2c\r\n\r\n${BEHIND}`, 200],
  ['to no protocol', `${GET}Connection: Upgrade\r\nUpgrade:\r\n\r\n${BEHIND}`, 200],
  ['with a body', `${LOGIN}${BEHIND}`, 200],
  ['at a path that is not there', `GET /up HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n${BEHIND}`, 404],
];

test('a request that asks for another protocol', async (t) => {
  const { url, lines } = await startTestService(t);
  for (const [name, bytes, status] of ASKED)
    await t.test(
      `${name} is answered in HTTP/1.1 and ends its connection, and nothing behind it is read`,
      async () => {
        const before = requestsIn(lines);
        const [answer, ...more] = await converse(url, bytes);
        assert.equal(answer?.status, status);
        assert.equal(answer.headers.connection, 'close');
        assertSound(answer);
        assert.deepEqual(more, []);
        assert.equal(requestsIn(lines), before + 1);
      },
    );
});

test('bytes that come while an upgrade is answered are not read', async (t) => {
  const unruly = new UnrulyStore();
  const { url, lines } = await startTestService(t, {}, unruly.open);
  const ticket = await logIn(url);
  const go = unruly.hold();
  const client = await Connection.open(url);
  const path = `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
  client.say(`GET ${path} HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\nGET /up HTTP/1.1\r\nX: `);
  await unruly.untilWaiting(1);
  const before = requestsIn(lines);
  client.say(`${BEHIND}${LOGIN}${BEHIND}`);
  // A later request on a new connection is answered: by then the service has read those bytes.
  const [other] = await converse(url, `${GET}Connection: close\r\n\r\n`);
  assert.equal(other?.status, 200);
  go();
  assert.deepEqual(
    answersIn(await client.untilClosed()).map(({ status }) => status),
    [200],
  );
  assert.equal(requestsIn(lines), before + 2);
});
