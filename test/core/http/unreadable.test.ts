import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { converse } from './connection.ts';
import { assertSound, messageIn } from './scenario.ts';

const get = (headers: string) => `GET /api/server HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (headers: string, body: string) =>
  `POST /api/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

const UNREADABLE: [name: string, bytes: string][] = [
  ['bytes that are no HTTP', 'nonsense\r\n\r\n'],
  ['the greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a method that nobody knows', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a length that is no number', post('Content-Length: two', '{}')],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 3', '{} ')],
  ['a length beside chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  [
    'chunks in HTTP/1.0, which has none, whatever comes after them',
    `${post('Connection: keep-alive\r\nTransfer-Encoding: chunked', '0\r\n\r\n').replace('1.1', '1.0')}${get('')}`,
  ],
  ['a chunk of no length', post('Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n')],
  ['a chunk that is longer than it says', post('Transfer-Encoding: chunked', '2\r\n{"a":1}\r\n0\r\n\r\n')],
];

const UNESCAPED: typeof UNREADABLE = [
  ['a query with a letter beyond ASCII', 'GET /api/login?u=Zo\u00eb&pw=x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a path with a letter beyond ASCII', 'GET /api/path/a/b/Zo\u00eb/actiondefs HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a query with spaces', 'GET /api/login?u=ann&pw=a long river HTTP/1.1\r\nHost: x\r\n\r\n'],
];
const URL_TO_ESCAPE =
  'The request cannot be read as HTTP: in a URL write a space as %20, and a character beyond ASCII as UTF-8 in percent escapes';

/** What `base64` makes of `ROLE_TICKET` and a ticket: two lines. */
const WRAPPED = 'Uk9M'.repeat(19);
const REST = 'MzI=';
const NOT_IN_ONE_LINE: typeof UNREADABLE = [
  ['a header without a colon', get('odd\r\n')],
  ['a header with a NUL byte', get('A: \0\r\n')],
  ['base64 in two lines', get(`Authorization: Basic ${WRAPPED}\r\n${REST}\r\n`)],
  ['base64 in two lines, the first ended by LF alone', get(`Authorization: Basic ${WRAPPED}\n${REST}\r\n`)],
  ['base64 in a folded line', get(`Authorization: Basic ${WRAPPED}\r\n ${REST}\r\n`)],
];
const LINE_TO_MEND =
  'The request cannot be read as HTTP: write each header field in one line, as its name, a colon and a value without control characters; where the value is base64, have that made without line breaks';

const TOO_LARGE: typeof UNREADABLE = [
  ['a header field of 20,000 bytes', get(`A: ${'a'.repeat(20_000)}\r\n`)],
  ['header fields of 20,000 bytes together', get('A: 34567\r\n'.repeat(2_000))],
];

test('bytes that are no readable request are answered once, and the connection is closed', async (t) => {
  const { url } = await startTestService(t);
  const answered = async (bytes: string, status: number, message: string) => {
    const [answer, ...more] = await converse(url, bytes);
    assert.equal(answer?.status, status);
    assert.equal(messageIn(answer), message);
    assert.equal(answer.headers.connection, 'close');
    assertSound(answer);
    assert.deepEqual(more, []);
  };
  for (const [name, bytes] of UNREADABLE)
    await t.test(`with 400: ${name}`, () => answered(bytes, 400, 'The request cannot be read as HTTP'));
  for (const [name, bytes] of UNESCAPED)
    await t.test(`with 400 and the mend: ${name}`, () => answered(bytes, 400, URL_TO_ESCAPE));
  for (const [name, bytes] of NOT_IN_ONE_LINE)
    await t.test(`with 400 and the mend: ${name}`, () => answered(bytes, 400, LINE_TO_MEND));
  for (const [name, bytes] of TOO_LARGE)
    await t.test(`with 431: ${name}`, () => answered(bytes, 431, 'The request header fields are too large'));
});
