import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { answersIn, Connection, converse } from './connection.ts';
import { assertAnswered, exchange, play, type Scenario } from './scenario.ts';

const LIMIT = 65_536;
const right = JSON.stringify({ username: 'admin', password: PASSWORD });
const padded = (length: number) => right.padEnd(length, ' ');
const claiming = (type: string) => ({ 'content-type': type });
const CHUNKED = { 'transfer-encoding': 'chunked' };

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'no type at all',
  ';',
];

test('a body', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const own = `/api/login/ticket/${ticket}?alf_ticket=${ticket}`;
  const foreign = own.replace(ticket, 'x');
  const taken = (name: string, headers: Scenario['headers'], body: string | undefined = right): Scenario => {
    return { name, ask: 'POST /api/login', headers, body, status: 200 };
  };
  const tooLarge = (name: string, body: string, headers = {}, ask = 'POST /api/login'): Scenario => {
    return {
      name,
      ask,
      headers,
      body,
      status: 413,
      message: 'The request body is too large',
      lacks: ['xxx'],
    };
  };
  const unread = (name: string, ask: string, headers: Scenario['headers'], body?: string): Scenario => {
    return { name, ask, headers, body, status: ask.startsWith('GET') ? 200 : 404 };
  };

  await play(t, url, [
    ...TYPES.map((type) => taken(`is read as bytes when it claims to be "${type}"`, claiming(type))),
    taken('is read when it claims nothing', {}),
    taken('is read in chunks', CHUNKED),
    taken('is read in chunks, whatever it claims', { ...CHUNKED, ...claiming('text/html') }),
    taken('is read when the client expects to be told to go on', { expect: '100-continue' }),
    taken('is read up to its limit', {}, padded(LIMIT)),
    taken('is read in chunks up to its limit', CHUNKED, padded(LIMIT)),
    tooLarge('is 413 one byte beyond its limit', padded(LIMIT + 1)),
    tooLarge('is 413 in chunks beyond its limit', padded(LIMIT + 1), CHUNKED),
    tooLarge('is 413 at 10 MiB', 'x'.repeat(10_485_760)),
    tooLarge('is 413 at 10 MiB in chunks', 'x'.repeat(10_485_760), CHUNKED),
    tooLarge('is 413 for a logout too', padded(LIMIT + 1), {}, `DELETE ${foreign}`),
    {
      ...tooLarge('is 413 in the format that was chosen', padded(LIMIT + 1), {}, 'POST /api/login.xml'),
      type: 'text/xml;charset=UTF-8',
    },
    {
      name: 'is refused as unreadable if it is empty and claims to be JSON',
      ask: 'POST /api/login',
      headers: claiming('application/json'),
      body: '',
      status: 400,
      message: /^Unable to parse JSON POST body: /,
    },
    unread('is not missed by a GET that claims JSON', `GET ${own}`, claiming('application/json')),
    unread('is not missed by a DELETE that claims JSON', `DELETE ${foreign}`, claiming('application/json')),
    unread(
      'is not missed by a GET of length 0 that claims JSON',
      `GET ${own}`,
      claiming('application/json'),
      '',
    ),
    unread(
      'is not missed by a DELETE of length 0 that claims JSON',
      `DELETE ${foreign}`,
      claiming('application/json'),
      '',
    ),
    unread('is ignored on GET', `GET ${own}`, claiming('application/json'), '{}'),
    unread('is ignored on GET in chunks', `GET ${own}`, CHUNKED, '{"ticket":"other"}'),
    unread(
      'is ignored on DELETE when it is a form',
      `DELETE ${foreign}`,
      claiming('application/x-www-form-urlencoded'),
      'a=b&c=d',
    ),
    unread(
      'is ignored on DELETE when it is no JSON',
      `DELETE ${foreign}`,
      claiming('application/json'),
      '{"',
    ),
    unread(
      'is ignored on DELETE in chunks',
      `DELETE ${foreign}`,
      { ...CHUNKED, ...claiming('application/json') },
      '{}',
    ),
  ]);

  await t.test('is waited for once the client was told to go on', async () => {
    const connection = await Connection.open(url);
    const head = `POST /api/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${right.length}\r\n\r\n`;
    connection.say(head);
    assert.equal(await connection.until(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
    connection.say(right);
    const [, answer] = answersIn(await connection.until(/TICKET_[0-9a-f]{40}"\s*\}\s*\}/));
    connection.close();
    assert.equal(answer?.status, 200);
  });

  await t.test('is refused unsent when the client asks first and it would be too large', async () => {
    const head = `POST /api/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`;
    const [first] = await converse(url, head);
    assert.equal(first?.status, 413);
  });

  await t.test('of 10 MiB is answered 413 again and again, the answer never being lost', async () => {
    const scenario = tooLarge('', 'x'.repeat(10_485_760));
    for (let round = 0; round < 10; round += 1)
      assertAnswered(await exchange(url, scenario.ask, scenario), scenario);
  });

  await t.test('that is announced as too large is not waited for', async () => {
    const [heard] = await converse(
      url,
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIMIT + 1}\r\n\r\nx`,
    );
    assert.deepEqual([heard?.status, heard?.headers.connection], [413, 'close']);
  });

  await t.test('that is too large may be sent to its end, and nothing behind it is carried out', async () => {
    const { hostname, port } = new URL(url);
    const sending = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).resume();
    sending.write(`POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${64 * LIMIT}\r\n\r\n`);
    await once(sending, 'end');
    const pieces = new Array(64).fill('x'.repeat(LIMIT));
    // This fails if the connection is closed at once: a client that is still writing would never read the answer.
    await pipeline([...pieces, `DELETE ${own} HTTP/1.1\r\nHost: x\r\n\r\n`], sending);
    assert.equal((await exchange(url, `GET ${own}`)).status, 200);
  });

  await t.test('that never came whole does nothing', async () => {
    const connection = await Connection.open(url);
    connection.say(
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${right.length}\r\n\r\n${right.slice(0, -1)}`,
    );
    connection.close();
    assert.equal((await exchange(url, `GET ${own}`)).status, 200);
  });
});
