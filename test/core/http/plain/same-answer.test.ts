import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readHead } from '../../../../src/core/http/plain/message.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';
import { Connection } from '../connection.ts';
import { NOBODY_WAITS } from '../scenario.ts';

/** A request after which Node reads everything on the connection. */
const NOT_PLAIN = 'OPTIONS /api/server HTTP/1.1\r\nHost: x\r\n\r\n';

/** Whether a whole answer has come, with a body of its length or without one. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1] ?? 0);
  return end >= 0 && answer.length >= end + 4 + length;
}

/** The answer without what differs each time. */
const lasting = (answer: string) =>
  answer
    .replace(/^(Date|X-Request-Id): .*$/gm, '$1')
    .replace(/[0-9a-f]{8}-[0-9a-z]+/g, 'id')
    .replace(/\d\d:\d\d:\d\d(\.\d+)?/g, 'time');

/** The one answer that comes after what was read before. */
async function answerTo(connection: Connection, bytes: string, before: number): Promise<string> {
  connection.say(bytes);
  return (await connection.untilIt((heard) => isWhole(heard.slice(before)))).slice(before);
}

/** The answers to a plain request: by itself, and after another one on a connection that was handed to Node. */
async function bothAnswers(url: string, bytes: string): Promise<[plain: string, byNode: string]> {
  const [plain, byNode] = await Promise.all([Connection.open(url), Connection.open(url)]);
  try {
    const before = (await answerTo(byNode, NOT_PLAIN, 0)).length;
    return [lasting(await answerTo(plain, bytes, 0)), lasting(await answerTo(byNode, bytes, before))];
  } finally {
    plain.close();
    byNode.close();
  }
}

test('a plain request gets the same bytes as from Node', async (t) => {
  const { url } = await startTestService(t, { ...NOBODY_WAITS, TESSERA_INDEX: 'public' });
  const ticket = await logIn(url);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const targets = fc.oneof(
    fc.constantFrom(
      `/api/login/ticket/${ticket}`,
      `/api/login/ticket/${ticket}.json?alf_ticket=${ticket}`,
      `/api/login/ticket/x?alf_ticket=${ticket}&alf_ticket=y`,
      `/alfresco/s/api/rules/actiondefs?alf_ticket=${ticket}`,
      '/alfresco/service/api/rules/actiondefs',
      '/api/server',
      '/api/server?format=html',
      '/api/login?u=admin&pw=wrong',
      '/gate/any/%2F/thing?a=b',
      '/nowhere',
      '/%',
      '/reference',
    ),
    fc.stringMatching(/^\/[!"$-~]{0,40}$/),
  );
  const fields = fc.uniqueArray(
    fc.oneof(
      fc.constantFrom(
        'Accept: text/html',
        'Accept-Language: de-CH, en;q=0.5',
        `Authorization: ${basic(`ROLE_TICKET:${ticket}`)}`,
        `Authorization: ${basic(`admin:${PASSWORD}`)}`,
        `Authorization: Bearer ${ticket}`,
        'Connection: keep-alive',
        'Content-Type: application/json',
        'If-None-Match: *',
        'Origin: http://y',
        'Sec-Fetch-Site: cross-site',
        'X-HTTP-Method-Override: DELETE',
        'X-Forwarded-For: 10.0.0.1',
        'X-Requested-With: XMLHttpRequest',
      ),
      fc.stringMatching(/^[A-Za-z0-9-]{1,8}:[ -~]{0,20}$/),
    ),
    { maxLength: 8, selector: (field) => field.split(':')[0]?.toLowerCase() },
  );
  const requests = fc.tuple(targets, fields).map(([target, lines]) => {
    const head = [`GET ${target} HTTP/1.1`, ...lines, 'Host: x'].join('\r\n');
    return `${head}\r\n\r\n`;
  });
  const isPlain = (bytes: string) => readHead(Buffer.from(bytes)) !== undefined;
  await fc.assert(
    fc.asyncProperty(requests.filter(isPlain), async (bytes) => {
      const [plain, byNode] = await bothAnswers(url, bytes);
      assert.equal(plain, byNode);
    }),
    { numRuns: 300 },
  );
});
