import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PASSWORD, startTestService } from '../service/start.ts';
import { basicOver, Dialogue, type Said } from './dialogue.ts';

const PUBLIC = '/alfresco/api/-default-/public';
const TICKETS = `${PUBLIC}/authentication/versions/1/tickets`;
const DEFINITIONS = `${PUBLIC}/alfresco/versions/1/action-definitions`;
const OF_ROOT = `${PUBLIC}/alfresco/versions/1/nodes/-root-/action-definitions`;

/** `python-alfresco-api` 1.x, whose requests httpx sends: its headers, in its order, on one kept connection. */
class Httpx {
  readonly #dialogue: Dialogue;

  private constructor(dialogue: Dialogue) {
    this.#dialogue = dialogue;
  }

  static async at(t: TestContext): Promise<Httpx> {
    const service = await startTestService(t);
    await service.addUser('ann');
    return new Httpx(await Dialogue.with(t, service.url));
  }

  request(line: string, authorization?: string, json?: object): Promise<Said> {
    const body = json === undefined ? '' : JSON.stringify(json);
    const of = [`Content-Length: ${Buffer.byteLength(body)}`, 'Content-Type: application/json'];
    const head = [
      `${line} HTTP/1.1`,
      `Host: ${this.#dialogue.host}`,
      'Accept: */*',
      'Accept-Encoding: gzip, deflate',
      'Connection: keep-alive',
      'User-Agent: python-httpx/0.28.1',
      ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
      ...(json === undefined ? [] : of),
    ];
    return this.#dialogue.say(head, body);
  }

  async logIn(): Promise<string> {
    const { status, text } = await this.request(`POST ${TICKETS}`, undefined, {
      userId: 'ann',
      password: PASSWORD,
    });
    assert.equal(status, 201, text);
    return JSON.parse(text).entry.id;
  }
}

test('a Python client with a ticket logs in, lists by alf_ticket, and is told of a wrong password', async (t) => {
  const httpx = await Httpx.at(t);
  const ticket = await httpx.logIn();
  const { status, text } = await httpx.request(
    `GET ${OF_ROOT}?skipCount=0&maxItems=100&alf_ticket=${ticket}`,
  );
  assert.equal(status, 200, text);
  const { pagination, entries } = JSON.parse(text).list;
  assert.equal(pagination.count, entries.length);
  // Its models demand two lists more, which the reference leaves out where they are empty, as Tessera does.
  const demanded = ['id', 'trackStatus', 'adhocPropertiesAllowed'];
  for (const { entry } of entries) for (const key of demanded) assert.ok(key in entry, key);
  const refused = await httpx.request(`POST ${TICKETS}`, undefined, { userId: 'ann', password: 'wrong' });
  assert.equal(refused.status, 403);
});

test('a Python client that sends name and password each time lists, and learns that there is no ticket to end', async (t) => {
  const httpx = await Httpx.at(t);
  const pair = basicOver(`ann:${PASSWORD}`);
  const query = 'skipCount=0&maxItems=100&orderBy=title+DESC&fields=id&fields=name';
  const { status, text } = await httpx.request(`GET ${DEFINITIONS}?${query}`, pair);
  assert.equal(status, 200, text);
  // Its generated client has no other word for these than 400.
  assert.equal((await httpx.request(`GET ${TICKETS}/-me-`, pair)).status, 400);
  assert.equal((await httpx.request(`DELETE ${TICKETS}/-me-`, pair)).status, 400);
  const answered = await httpx.request(`POST ${TICKETS}`, pair, { userId: 'ann', password: PASSWORD });
  assert.equal(answered.status, 201);
});

test('a Python client that holds a ticket validates it, uses it, ends it, and finds it dead', async (t) => {
  const httpx = await Httpx.at(t);
  const ticket = await httpx.logIn();
  const held = basicOver(ticket);
  assert.equal((await httpx.request(`GET ${TICKETS}/-me-`, held)).text, `{"entry":{"id":"${ticket}"}}`);
  assert.equal((await httpx.request(`GET ${DEFINITIONS}/mail`, held)).status, 200);
  assert.equal((await httpx.request(`DELETE ${TICKETS}/-me-`, held)).status, 204);
  const dead = await httpx.request(`GET ${DEFINITIONS}/mail`, held);
  assert.equal(dead.status, 401);
  assert.equal(dead.headers.get('www-authenticate'), 'Basic realm="Tessera"');
});
