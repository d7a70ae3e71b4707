import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { Connection, converse } from './connection.ts';
import { assertSound, exchange, play, type Scenario, WRONG } from './scenario.ts';

const scenario = (status: number, ask: string, more: Partial<Scenario> = {}): Scenario => {
  const answers = { server: null, 'x-powered-by': null, etag: null, vary: null, ...more.answers };
  return { name: `has the headers of every answer with ${status}`, ask, status, ...more, answers };
};

test('an answer', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);

  await play(t, url, [
    scenario(200, `GET /api/login?u=admin&pw=${PASSWORD}`, { answers: { 'content-length': '104' } }),
    scenario(200, `GET /api/login/ticket/${ticket}?alf_ticket=${ticket}`),
    scenario(200, 'HEAD /api/server'),
    scenario(204, 'OPTIONS /api/login'),
    scenario(400, 'GET /api/login'),
    scenario(400, 'GET /api/%'),
    scenario(401, `DELETE /api/login/ticket/${ticket}`),
    scenario(403, `GET /api/login?u=admin&pw=${WRONG}`),
    scenario(404, 'GET /api/nowhere'),
    scenario(404, `GET /api/login/ticket/x?alf_ticket=${ticket}`),
    scenario(405, 'PUT /api/login'),
    scenario(406, 'GET /api/login.toml'),
    scenario(413, 'POST /api/login', { body: 'x'.repeat(65_537) }),
    scenario(414, `GET /${'a'.repeat(13_000)}`),
    scenario(431, 'GET /api/server', { headers: { 'x-long': 'a'.repeat(20_000) } }),
  ]);

  await t.test('to bytes that are no request has them too', async () => {
    const [answer] = await converse(url, 'nonsense\r\n\r\n');
    assert.equal(answer?.status, 400);
    assertSound(answer);
  });

  await t.test('to a request without a host has them too', async () => {
    const [answer] = await converse(url, 'GET /api/server HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.equal(answer?.status, 400);
    assertSound(answer);
  });

  await t.test('names its headers as the reference does, for clients that look at their case', async () => {
    const connection = await Connection.open(url);
    connection.sayLast(`GET /api/login/ticket/${ticket} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [head = ''] = (await connection.untilClosed()).split('\r\n\r\n');
    const names = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(0, line.indexOf(':')));
    assert.ok(names.includes('WWW-Authenticate') && names.includes('Content-Type'), head);
    assert.deepEqual(
      names.filter((name) => !/^[A-Z]/.test(name)),
      [],
    );
  });

  await t.test('has a request id of its own, whatever the caller calls the request', async () => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' };
    const answers = await Promise.all([1, 2, 3].map(() => exchange(url, 'GET /api/server', { headers })));
    const ids = answers.map((answer) => answer.headers['x-request-id']);
    assert.equal(new Set([...ids, 'mine']).size, 4);
  });
});
