import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { answersIn, Connection, converse } from './connection.ts';
import { assertSound, type Heard } from './scenario.ts';

const SERVER = 'GET /api/server HTTP/1.1\r\nHost: x\r\n\r\n';
const CLOSE = SERVER.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
const right = JSON.stringify({ username: 'admin', password: PASSWORD });
const LOGIN = `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: ${right.length}\r\n\r\n${right}`;

const statuses = (answers: Heard[]) => answers.map(({ status }) => status);

test('a connection', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const own = (method: string, which = ticket) =>
    `${method} /api/login/ticket/${which}?alf_ticket=${ticket} HTTP/1.1\r\nHost: x\r\n\r\n`;

  await t.test('serves one request after another', async () => {
    const connection = await Connection.open(url);
    connection.say(SERVER);
    await connection.until(/2039"\}\}$/);
    connection.say(CLOSE);
    const answers = answersIn(await connection.untilClosed());
    assert.deepEqual(statuses(answers), [200, 200]);
    assert.equal(answers[0]?.headers['keep-alive'], 'timeout=72', 'as the pages say to proxies and clients');
  });

  const refused: [name: string, request: string, status: number][] = [
    ['leads nowhere', 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['has an empty body', 'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n', 404],
    ['asks for another method', 'PUT /api/server HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ];
  for (const [name, request, status] of refused) {
    await t.test(`is kept behind a request that ${name}`, async () => {
      const connection = await Connection.open(url);
      connection.say(request);
      await connection.until(/\r\n\r\n/);
      connection.say(CLOSE);
      assert.deepEqual(statuses(answersIn(await connection.untilClosed())), [status, 200]);
    });
  }

  await t.test('answers pipelined requests in their order, a slow one first', async () => {
    const answers = await converse(url, LOGIN + own('GET') + own('GET', 'x') + LOGIN + CLOSE);
    assert.deepEqual(statuses(answers), [200, 200, 404, 200, 200]);
    assert.match(answers[0]?.text ?? '', /^\{\n\t"data":\n\t\{\n\t\t"ticket":/);
    assert.match(answers[1]?.text ?? '', new RegExp(`<ticket>${ticket}</ticket>`));
    assert.match(answers[4]?.text ?? '', /"schema":"2039"/);
    for (const answer of answers) assertSound(answer);
  });

  await t.test('answers fifty pipelined requests', async () => {
    const answers = await converse(url, (own('GET') + SERVER).repeat(25) + CLOSE);
    assert.deepEqual(statuses(answers), Array(51).fill(200));
    const types = answers.slice(0, 50).map(({ headers }) => headers['content-type']?.slice(0, 8));
    assert.deepEqual(types, Array(25).fill(['text/xml', 'applicat']).flat());
  });

  const strays: [name: string, bytes: string, answered: number[]][] = [
    ['behind a GET', `${own('GET')}{}`, [200]],
    [
      'after a GET that claims JSON',
      own('GET').replace('\r\n\r\n', '\r\nContent-Type: application/json\r\n\r\n{}'),
      [200],
    ],
    ['behind a DELETE', `${own('DELETE', 'x')}{}`, [404]],
    ['behind a GET with level none', `${SERVER}{}`, [200]],
    ['behind two pipelined requests', `${own('GET')}${SERVER}{}`, [200, 200]],
    ['behind a login and a validation', `${LOGIN}${own('GET')}{}`, [200, 200]],
  ];
  for (const [name, bytes, answered] of strays) {
    await t.test(`answers what came before stray bytes, then closes: ${name}`, async () => {
      const answers = await converse(url, bytes);
      assert.deepEqual(statuses(answers), answered);
      for (const answer of answers) assertSound(answer);
    });
  }

  await t.test('with stray bytes that come late has its answer whole, and is closed', async () => {
    const connection = await Connection.open(url);
    connection.say(own('GET'));
    await connection.until(/<\/ticket>\n/);
    connection.say('{}');
    const [answer] = answersIn(await connection.untilClosed());
    assert.equal(answer?.status, 200);
    assert.match(answer.text, new RegExp(`<ticket>${ticket}</ticket>`));
  });

  await t.test(
    'with stray bytes that come bit by bit after a slow request gets its whole answer',
    async () => {
      const connection = await Connection.open(url);
      connection.say(LOGIN);
      for (let times = 0; times < 5; times += 1) {
        connection.say('{');
        await pause(1);
      }
      const [answer] = answersIn(await connection.untilClosed());
      assert.equal(answer?.status, 200);
      assert.match(answer.text, /^\{\s*"data":\s*\{\s*"ticket":"TICKET_\w+"\s*\}\s*\}\s*$/);
    },
  );

  const last: [name: string, bytes: string, answered: number[]][] = [
    ['behind a login', LOGIN, [200]],
    ['behind pipelined requests', LOGIN + own('GET', 'x') + LOGIN, [200, 404, 200]],
    ['behind stray bytes', `${LOGIN}{}`, [200]],
    ['in the middle of a body', LOGIN.slice(0, -1), [400]],
    ['behind a login whose successor breaks off', `${LOGIN}GET /api/ser`, [200]],
    ['before anything', '', []],
  ];
  for (const [name, bytes, answered] of last) {
    await t.test(`that says ${name} that nothing more will come is answered, then closed`, async () => {
      const connection = await Connection.open(url, { stubborn: true });
      connection.sayLast(bytes);
      assert.deepEqual(statuses(answersIn(await connection.untilClosed())), answered);
    });
  }

  /** A request whose URL has so many characters. */
  const ofLength = (length: number) => CLOSE.replace('/api/server', '/api/server?x='.padEnd(length, 'a'));

  await t.test('takes a URL of 12,288 characters, more than the specification of HTTP asks for', async () => {
    assert.deepEqual(statuses(await converse(url, ofLength(12_288))), [200]);
  });

  await t.test('is answered 414 to a URL that is one character longer', async () => {
    const [answer] = await converse(url, ofLength(12_289));
    assert.equal(answer?.status, 414);
    assertSound(answer);
  });

  await t.test('that offers HTTP/2 is answered in HTTP/1.1, body and all', async () => {
    const upgrade =
      '\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n';
    const connection = await Connection.open(url);
    connection.say(LOGIN.replace('\r\n\r\n', upgrade));
    const [answer] = answersIn(await connection.until(/"\s*\}\s*\}$/));
    connection.close();
    assert.equal(answer?.status, 200);
  });

  await t.test('of HTTP/1.0 is answered and closed', async () => {
    assert.deepEqual(statuses(await converse(url, 'GET /api/server HTTP/1.0\r\n\r\n')), [200]);
  });

  await t.test('is free of traces of others: the service still answers as before', async () => {
    assert.deepEqual(statuses(await converse(url, CLOSE)), [200]);
  });
});
