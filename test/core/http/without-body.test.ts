import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { startTestService } from '../../service/start.ts';
import { Connection } from './connection.ts';

const STATUS: Readonly<Record<string, number>> = { GET: 200, HEAD: 200, OPTIONS: 204 };

test('a request without a body is answered, whatever its method', async (t) => {
  const { url } = await startTestService(t);
  for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
    await t.test(method, async () => {
      const connection = await Connection.open(url);
      connection.say(`${method} /api/server HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const heard = await connection.untilClosed().finally(() => connection.close());
      const status = STATUS[method] ?? 405;
      assert.match(heard, new RegExp(`^HTTP/1\\.1 ${status} `));
      // RFC 9110, 8.6
      assert.equal(
        /\r\ncontent-length: /i.test(heard),
        status !== 204,
        'all answers but a 204 tell their length',
      );
    });
  }
});
