import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Asking, asking, ofNode, ofPath } from '../rule/asking.ts';
import { type Behaviour, ContentRepository, kept, READER } from './content-repository.ts';

const TREE = kept('root-id', 'cm:folder', 'Company Home', kept('d1', 'cm:content'));

async function inFront(t: TestContext): Promise<Asking & { repository: ContentRepository }> {
  const repository = await ContentRepository.start(t, TREE);
  const caller = await asking(t, {
    TESSERA_NODES: repository.url,
    TESSERA_NODES_USER: READER.name,
    TESSERA_NODES_PASSWORD: READER.password,
    TESSERA_NODES_DEADLINE: 'PT0.3S',
  });
  return { ...caller, repository };
}

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

const entry = (more: object) =>
  JSON.stringify({ entry: { id: 'd1', name: 'd1', nodeType: 'cm:content', ...more } });

/** What a repository may do instead of answering. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'does not answer in time': () => undefined,
  'begins to answer and stops': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"entry":{"id":');
  },
  'hangs up': (request) => request.socket.destroy(),
  'hangs up in the middle of an answer': (request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"entry"');
    setTimeout(() => request.socket.destroy(), 20);
  },
  'speaks no HTTP': (request) => request.socket.end('what?\r\n\r\n'),
  'answers with a page': answering(200, '<!doctype html><p>Log in, please', { 'content-type': 'text/html' }),
  'answers with nothing': answering(200, ''),
  'answers with no node': answering(200, '{}'),
  'answers with null': answering(200, 'null'),
  'answers with a list': answering(200, '[]'),
  'answers with a node without a type': answering(200, entry({ nodeType: undefined })),
  'answers with a type that is no text': answering(200, entry({ nodeType: 5 })),
  'answers 204': answering(204, ''),
  'answers 400 whatever it is asked': answering(400, '<p>plain HTTP was sent to an HTTPS port'),
  'answers 500': answering(500, '{"error":{}}'),
  'answers 502': answering(502, 'Bad Gateway'),
  'answers 503': answering(503, ''),
  'asks for patience': answering(429, ''),
};

for (const [what, behaviour] of Object.entries(BEHAVIOURS)) {
  test(`a repository that ${what} makes a scoped list unavailable, never absent and never the full one`, async (t) => {
    const { get, repository, service } = await inFront(t);
    repository.behaviour = behaviour;
    for (const path of [ofNode('d1'), ofPath('Company%20Home/d1')]) {
      const { status, headers, text } = await get(path);
      assert.equal(status, 503, text);
      assert.match(String(headers['retry-after']), /^\d+$/);
      assert.equal(headers['cache-control'], 'no-cache, no-store');
      assert.ok(!text.includes('add-features'));
      assert.ok(!text.includes(repository.url), 'the caller learns nothing of the place');
    }
    const faults = service.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'fault');
    assert.ok(faults.length > 0);
    for (const { err } of faults)
      assert.ok(
        err.message.startsWith(`the content repository at ${repository.url} cannot answer: `),
        err.message,
      );
    assert.ok(!service.lines.join().includes(READER.password));
  });
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect by ${status} is not followed: the account's password goes nowhere else`, async (t) => {
    const elsewhere = await ContentRepository.start(t, TREE);
    const { get, repository } = await inFront(t);
    repository.behaviour = (request, response) => {
      const location = new URL(request.url ?? '', elsewhere.url).href;
      response.writeHead(status, { location }).end();
    };
    const { status: answered, headers } = await get(ofNode('d1'));
    assert.equal(answered, 503);
    assert.match(String(headers['retry-after']), /^\d+$/);
    assert.equal(headers.location, undefined);
    assert.deepEqual(elsewhere.asked, []);
  });
}

test('a repository that is not there makes a scoped list unavailable', async (t) => {
  const { get, repository } = await inFront(t);
  await repository.stop();
  for (const path of [ofNode('d1'), ofPath('Company%20Home/d1')]) {
    const { status, headers } = await get(path);
    assert.equal(status, 503);
    assert.match(String(headers['retry-after']), /^\d+$/);
  }
});

test('a fault is kept by nobody: the next call asks again', async (t) => {
  const { get, names, repository } = await inFront(t);
  repository.behaviour = answering(500, '');
  assert.equal((await get(ofNode('d1'))).status, 503);
  repository.behaviour = undefined;
  assert.ok((await names(ofNode('d1'))).includes('transform'));
});

test('answers that nobody reads hold no connection', async (t) => {
  const { get, repository } = await inFront(t);
  repository.behaviour = answering(500, 'x'.repeat(500_000));
  for (let n = 0; n < 20; n++) assert.equal((await get(ofNode(`d${n}`))).status, 503);
  const open = await repository.connections();
  assert.ok(open <= 2, `${open} connections are open`);
});

test('a ticket that ends while the repository is asked is a ticket that has ended', async (t) => {
  const { get, repository, service, ticket } = await inFront(t);
  repository.behaviour = (_request, response) => {
    const ended = fetch(`${service.url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`, {
      method: 'DELETE',
    });
    ended.then(() => response.end(entry({})));
  };
  assert.equal((await get(ofNode('d1'))).status, 401);
});
