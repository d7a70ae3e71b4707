import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHost } from '../../../src/core/http/host.ts';
import { startTestService } from '../../service/start.ts';
import { converse } from './connection.ts';
import { requestsIn } from './log-lines.ts';
import { assertSound, messageIn } from './scenario.ts';

const HOSTS = [
  ...[
    'localhost',
    'tickets.example.org',
    'tickets.example.org.',
    'Tickets.Example.ORG:8443',
    'xn--bcher-kva.example',
  ],
  ...['tessera_backend', 'tessera_backend:80', '10.0.0.1', '10.0.0.1:65535', 'x:', '[::1]', '[::1]:8080'],
  ...['[2001:DB8::10.0.0.1]', 'a'.repeat(255)],
];
const NO_HOSTS = [
  ...[
    '',
    ' ',
    ':80',
    'a b',
    'a,b',
    'a, b',
    'a/b',
    'a?b',
    'a#b',
    'a@b',
    'user:pass@a',
    'http://a',
    'a:b',
    'a:80:80',
  ],
  ...[
    'a:65536',
    'a:123456',
    'a:-1',
    '::1',
    '[::1',
    '::1]',
    '[]',
    '[::g]',
    '[1.2.3.4]',
    '[::1]x',
    '[a]',
    'a\tb',
  ],
  ...['b\u00fccher.example', 'a%2eb', '*', '<a>', "a'b", 'a\\b', 'a'.repeat(256)],
];

test('a host is a name or an address, with or without a port', () => {
  for (const host of HOSTS) assert.ok(isHost(host), host);
  for (const host of NO_HOSTS) assert.ok(!isHost(host), host);
});

const ask = (line: string, ...fields: string[]) => `${[line, ...fields].join('\r\n')}\r\n\r\n`;
const GET = 'GET /api/server HTTP/1.1';
/** If it were read, it would be answered 200 and close the connection. */
const BEHIND = ask(GET, 'Host: x', 'Connection: close');

const VERSION = 'end the request line with the version, HTTP/1.1 or HTTP/1.0';
const MISSING = 'name the host in the field Host, such as tickets.example.org:8443';
const TWICE = 'send the field Host once';
const NO_HOST = 'write a host in the field Host, such as tickets.example.org:8443';
const NO_HOST_IN_URL = 'write a host in the URL, such as tickets.example.org:8443';

const REFUSED: readonly [name: string, mend: string, bytes: string][] = [
  ['without a version', VERSION, 'GET /api/server\r\n\r\n'],
  ['of HTTP/0.9', VERSION, ask('GET /api/server HTTP/0.9')],
  ['of HTTP/2.0', VERSION, ask('GET /api/server HTTP/2.0', 'Host: x')],
  ['of HTTP/1.1 without a host', MISSING, ask(GET)],
  ['with two hosts', TWICE, ask(GET, 'Host: x', 'Host: y')],
  ['with one host twice', TWICE, ask(GET, 'Host: x', 'Accept: */*', 'HOST: x')],
  ['of HTTP/1.0 with two hosts', TWICE, ask('GET /api/server HTTP/1.0', 'Host: x', 'Host: y')],
  ['of HTTP/1.0 with a host that is none', NO_HOST, ask('GET /api/server HTTP/1.0', 'Host: a b')],
  ['with an empty host', NO_HOST, ask(GET, 'Host:')],
  ['with a host beyond ASCII', NO_HOST, ask(GET, 'Host: b\u00fccher.example')],
  ['with a whole address as its host', NO_HOST, ask(GET, 'Host: http://x/')],
  ['with a list of hosts', NO_HOST, ask(GET, 'Host: x, y')],
  [
    'with a body and a host that is none',
    NO_HOST,
    `${ask('POST /api/login HTTP/1.1', 'Host: @', 'Content-Length: 2')}{}`,
  ],
  ['of a whole address without a host', NO_HOST_IN_URL, ask('GET http:///api/server HTTP/1.1', 'Host: x')],
  ['of a whole address with a user', NO_HOST_IN_URL, ask('GET http://ann@x/api/server HTTP/1.1', 'Host: x')],
  [
    'of a whole address and with a host that is none',
    NO_HOST,
    ask('GET http://x/api/server HTTP/1.1', 'Host: @'),
  ],
];

test('a request whose version or host is wrong', async (t) => {
  const { url, lines } = await startTestService(t);
  for (const [name, mend, bytes] of REFUSED)
    await t.test(`${name} is answered 400 with the mend, and nothing behind it is read`, async () => {
      const before = requestsIn(lines);
      const [answer, ...more] = await converse(url, bytes + BEHIND);
      assert.equal(requestsIn(lines), before + 1);
      assert.equal(answer?.status, 400);
      assert.equal(messageIn(answer), `The request cannot be read as HTTP: ${mend}`);
      assert.equal(answer.headers.connection, 'close');
      assertSound(answer);
      assert.deepEqual(more, []);
    });

  await t.test('is answered 400 behind a request that is right, too', async () => {
    const answers = await converse(url, ask(GET, 'Host: x') + ask(GET, 'Host: x', 'Host: y') + BEHIND);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400],
    );
  });
});

const TAKEN: readonly [name: string, bytes: string][] = [
  ['of HTTP/1.0 without a host', ask('GET /api/server HTTP/1.0')],
  ['of HTTP/1.0 with a host', ask('GET /api/server HTTP/1.0', 'Host: x:80')],
  ['with an IPv6 address as its host', `${ask(GET, 'Host: [::1]:8080')}${BEHIND}`],
  ['of a whole address', ask('GET http://x:80/api/server HTTP/1.1', 'Host: y', 'Connection: close')],
  ['of a whole address with a query alone', ask('GET http://x?a=b HTTP/1.1', 'Host: y', 'Connection: close')],
];

test('a request with a valid version and host', async (t) => {
  const { url } = await startTestService(t);
  for (const [name, bytes] of TAKEN)
    await t.test(`${name} is taken`, async () => {
      const statuses = (await converse(url, bytes)).map(({ status }) => status);
      assert.ok(
        statuses.length > 0 && statuses.every((status) => [200, 303, 404].includes(status)),
        `${statuses}`,
      );
    });
});
