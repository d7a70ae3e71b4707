import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService } from '../service/start.ts';
import { basicOver, Dialogue, type Said } from './dialogue.ts';

const PUBLIC = '/alfresco/api/-default-/public';
const ME = `${PUBLIC}/authentication/versions/1/tickets/-me-`;
const TICKETS = `${PUBLIC}/authentication/versions/1/tickets`;
const V1 = `${PUBLIC}/alfresco/versions/1`;
const PAIR = basicOver(`ann:${PASSWORD}`);

async function connected(t: TestContext): Promise<Dialogue> {
  const service = await startTestService(t);
  await service.addUser('ann');
  return Dialogue.with(t, service.url);
}

/** `alfresco-java-client` over Retrofit and OkHttp: its credential first, whatever is asked. */
function okHttp(dialogue: Dialogue, line: string, authorization: string, json?: object): Promise<Said> {
  const body = json === undefined ? '' : JSON.stringify(json);
  const of = ['Content-Type: application/json; charset=UTF-8', `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [
    `${line} HTTP/1.1`,
    `Authorization: ${authorization}`,
    ...(json === undefined ? [] : of),
    `Host: ${dialogue.host}`,
    'Connection: Keep-Alive',
    'Accept-Encoding: gzip',
    'User-Agent: okhttp/3.4.1',
  ];
  return dialogue.say(head, body);
}

/** The clients of `alfresco-java-sdk`, which Feign sends through Apache's HttpClient. */
function feign(dialogue: Dialogue, line: string, authorization: string): Promise<Said> {
  return dialogue.say([
    `${line} HTTP/1.1`,
    'Accept: application/json',
    `Authorization: ${authorization}`,
    'Accept-Encoding: gzip, x-gzip, deflate',
    `Host: ${dialogue.host}`,
    'Connection: keep-alive',
    'User-Agent: Apache-HttpClient/5.3.1 (Java/17.0.12)',
  ]);
}

test('a Java client over OkHttp finds no ticket, makes one, and goes on with it alone', async (t) => {
  const dialogue = await connected(t);
  assert.equal((await okHttp(dialogue, `GET ${ME}`, PAIR)).status, 400);
  const made = await okHttp(dialogue, `POST ${TICKETS}`, PAIR, { userId: 'ann', password: PASSWORD });
  assert.equal(made.status, 201);
  const { id, userId } = JSON.parse(made.text).entry;
  assert.ok(id.startsWith('TICKET_'));
  assert.equal(userId, 'ann');
  const held = basicOver(id);
  assert.equal((await okHttp(dialogue, `GET ${ME}`, held)).status, 200);
  assert.equal((await okHttp(dialogue, `GET ${V1}/nodes/-root-/action-definitions`, held)).status, 200);
  const ended = await okHttp(dialogue, `DELETE ${ME}`, held);
  assert.equal(ended.status, 204);
  assert.equal(ended.headers.get('content-length') ?? '0', '0', 'OkHttp throws at a 204 with a length');
  assert.equal((await okHttp(dialogue, `GET ${ME}`, held)).status, 401);
});

test('a Java client over OkHttp is refused a wrong password, whatever it sends beside it', async (t) => {
  const dialogue = await connected(t);
  const { status, text } = await okHttp(dialogue, `POST ${TICKETS}`, PAIR, { userId: 'ann', password: 'no' });
  assert.equal(status, 403);
  assert.equal(JSON.parse(text).error.briefSummary, 'Login failed');
});

test('a Java client over Feign lists with name and password on each request, and with a ticket', async (t) => {
  const dialogue = await connected(t);
  const query = 'skipCount=0&maxItems=100&orderBy=title%20DESC&fields=id,name';
  for (const line of [
    `GET ${V1}/action-definitions?${query}`,
    `GET ${V1}/nodes/-root-/action-definitions?${query}`,
    `GET ${V1}/action-definitions/mail`,
  ]) {
    const { status, headers, text } = await feign(dialogue, line, PAIR);
    assert.equal(status, 200, text);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    JSON.parse(text);
  }
  const made = await okHttp(dialogue, `POST ${TICKETS}`, PAIR, { userId: 'ann', password: PASSWORD });
  const held = basicOver(`ROLE_TICKET:${JSON.parse(made.text).entry.id}`);
  assert.equal((await feign(dialogue, `GET ${V1}/action-definitions?${query}`, held)).status, 200);
  assert.equal((await feign(dialogue, `GET ${V1}/action-definitions`, basicOver('ann:wrong'))).status, 401);
});
