import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHead } from '../../../../src/core/http/plain/message.ts';

const read = (text: string) => readHead(Buffer.from(text, 'latin1'));

test('a plain request is read whole', () => {
  const text =
    'GET /api/login/ticket/x?alf_ticket=%20+"{}|\\^` HTTP/1.1\r\nHost: x:80\r\nAccept:\r\nX-A:  b , c \r\nConnection: Keep-Alive\r\n\r\n';
  assert.deepEqual(read(text), {
    target: '/api/login/ticket/x?alf_ticket=%20+"{}|\\^`',
    fields: { host: 'x:80', accept: '', 'x-a': 'b , c', connection: 'Keep-Alive' },
  });
  assert.deepEqual(read('GET / HTTP/1.1\r\nHost:[::1]\r\n\r\n'), { target: '/', fields: { host: '[::1]' } });
});

const BEGIN = 'GET / HTTP/1.1\r\nHost: x\r\n';
const others: Record<string, string> = {
  'of another method': 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n',
  'of another version': 'GET / HTTP/1.0\r\nHost: x\r\n\r\n',
  'without a host': 'GET / HTTP/1.1\r\n\r\n',
  'with a host that is none': 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
  'in absolute form': 'GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'with a fragment': 'GET /#a HTTP/1.1\r\nHost: x\r\n\r\n',
  'with a blank in its target': 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n',
  'with a target beyond ASCII': 'GET /\xe4 HTTP/1.1\r\nHost: x\r\n\r\n',
  'that is not whole': BEGIN,
  'with one behind it': `${BEGIN}\r\n${BEGIN}\r\n`,
  'with bytes behind it': `${BEGIN}\r\n{}`,
  'with bytes before it': `\r\n${BEGIN}\r\n`,
  'with bare line feeds': `${BEGIN}\r\n`.replaceAll('\r', ''),
  'with a body': `${BEGIN}Content-Length: 1\r\n\r\n`,
  'with an empty body': `${BEGIN}Content-Length: 0\r\n\r\n`,
  'with a body in chunks': `${BEGIN}transfer-encoding: chunked\r\n\r\n`,
  'with an expectation': `${BEGIN}Expect: 100-continue\r\n\r\n`,
  'that asks for another protocol': `${BEGIN}Upgrade: h2c\r\n\r\n`,
  'that ends its connection': `${BEGIN}Connection: close\r\n\r\n`,
  'that ends its connection, as old clients say it': `${BEGIN}Proxy-Connection: close\r\n\r\n`,
  'with a field twice': `${BEGIN}host: y\r\n\r\n`,
  'with the name of what every object has': `${BEGIN}constructor: y\r\n\r\n`,
  'with a field over two lines': `${BEGIN}X-A: b\r\n c\r\n\r\n`,
  'with a blank behind a name': `${BEGIN}X-A : b\r\n\r\n`,
  'with an unusual name': `${BEGIN}X_A: b\r\n\r\n`,
  'with a tab in a value': `${BEGIN}X-A: b\tc\r\n\r\n`,
  'with a value beyond ASCII': `${BEGIN}X-A: \xe4\r\n\r\n`,
  'with a control character in a value': `${BEGIN}X-A: \0\r\n\r\n`,
  'with a field without a colon': `${BEGIN}X-A\r\n\r\n`,
  'of more bytes than are looked at': `${BEGIN}X-A: ${'a'.repeat(4_096)}\r\n\r\n`,
};
for (const [name, text] of Object.entries(others))
  test(`a request ${name} is not plain`, () => assert.equal(read(text), undefined));
