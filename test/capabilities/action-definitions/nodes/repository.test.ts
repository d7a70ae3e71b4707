import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { linesAbout } from '../../../core/http/log-lines.ts';
import { digits } from '../../../core/http/logged-requests.ts';
import { exchange } from '../../../core/http/scenario.ts';
import { until } from '../../../service/until.ts';
import { ALL, type Asking, asking, ofNode, ofPath } from '../rule/asking.ts';
import { ContentRepository, kept, READER } from './content-repository.ts';

const TREE = kept(
  'root-id',
  'cm:folder',
  'Company Home',
  kept(
    'f1',
    'cm:folder',
    'Übersicht & Pläne',
    kept('d1', 'cm:content', '100 % fertig?.txt'),
    kept('d2', 'acme:unknown', '#1 a+b'),
  ),
  kept('with space/and slash', 'fm:post', 'post'),
  { ...kept('secret', 'cm:content', 'secret'), hidden: true },
  kept('..', 'cm:content', '..'),
  kept('?x', 'cm:content', '?x'),
);

const settingsFor = (url: string, more: Record<string, string> = {}) => ({
  TESSERA_NODES: url,
  TESSERA_NODES_USER: READER.name,
  TESSERA_NODES_PASSWORD: READER.password,
  ...more,
});

/** A service in front of a repository. */
async function inFront(
  t: TestContext,
  more: Record<string, string> = {},
): Promise<Asking & { repository: ContentRepository }> {
  const repository = await ContentRepository.start(t, TREE);
  return { ...(await asking(t, settingsFor(repository.url, more))), repository };
}

const OF_CONTENT = ['check-in', 'check-out', 'extract-metadata', 'transform', 'transform-image'];
const seesContent = (names: readonly string[]) => OF_CONTENT.every((name) => names.includes(name));

test('a node is asked for by its id, and its type decides what is listed', async (t) => {
  const { names, repository } = await inFront(t);
  assert.ok(seesContent(await names(ofNode('d1'))));
  assert.ok(!seesContent(await names(ofNode('f1'))));
  assert.equal((await names(ofNode('f1'))).length, 12);
  assert.equal((await names(ofNode('d2'))).length, 12, 'a type that the model does not know');
  assert.equal(repository.asked.length, 3);
  assert.match(repository.asked[0] ?? '', /\/api\/-default-\/public\/alfresco\/versions\/1\/nodes\/d1$/);
});

test('the log tells who asked for a node that the repository has not, and by which ticket', async (t) => {
  const { get, service, ticket } = await inFront(t);
  const [line] = await linesAbout(service.lines, await get(ofNode('none')));
  assert.deepEqual([line?.outcome, line?.user, line?.digest], ['node_not_found', 'admin', digits(ticket)]);
});

test('a path is asked for below the root, whose name it begins with', async (t) => {
  const { names, get } = await inFront(t);
  assert.ok(!seesContent(await names(ofPath('Company%20Home'))));
  assert.ok(
    seesContent(
      await names(ofPath('Company%20Home/%C3%9Cbersicht%20&%20Pl%C3%A4ne/100%20%25%20fertig%3F.txt')),
    ),
  );
  assert.ok(seesContent(await names(ofPath('Company%20Home/post'))));
  assert.equal(
    (await names(ofPath('Company%20Home/%C3%9Cbersicht%20%26%20Pl%C3%A4ne/%231%20a+b'))).length,
    12,
  );
  for (const path of ['Sites', 'company%20home', 'post', 'Company%20Home/none', 'Company%20Home/post/none'])
    assert.equal((await get(ofPath(path))).status, 404, path);
});

test('a path is found as it is sent or composed, whichever of the two the repository has', async (t) => {
  const tree = kept(
    'root-id',
    'cm:folder',
    'A\u0308ste',
    kept('d1', 'cm:content', 'Pla\u0308ne'),
    kept('d2', 'cm:content', '\u00fc'),
  );
  const repository = await ContentRepository.start(t, tree);
  const { get } = await asking(t, settingsFor(repository.url));
  const statusOf = async (path: string) => (await get(ofPath(encodeURI(path)))).status;
  for (const root of ['A\u0308ste', '\u00c4ste']) {
    assert.equal(await statusOf(root), 200);
    for (const name of ['Pla\u0308ne', '\u00fc', 'u\u0308'])
      assert.equal(await statusOf(`${root}/${name}`), 200, `${root}/${name}`);
    assert.equal(await statusOf(`${root}/o\u0308`), 404);
  }
});

test('the nodes of the own store do not count any more', async (t) => {
  const { get } = await inFront(t);
  for (const path of [ofNode('sites'), ofNode('company-home'), ofPath('Company%20Home/Sites')])
    assert.equal((await get(path)).status, 404, path);
});

test('what is not there, and what the account may not see, are 404 alike', async (t) => {
  const { get, service } = await inFront(t);
  const hidden = await get(ofNode('secret'));
  const absent = await get(ofNode('nothing'));
  assert.equal(hidden.status, 404);
  assert.equal(absent.status, 404);
  assert.equal(JSON.parse(hidden.text).message, 'Node not found: secret');
  assert.equal(JSON.parse(absent.text).message, 'Node not found: nothing');
  const path = await get(ofPath('Company%20Home/secret'));
  assert.equal(path.status, 404);
  assert.equal(JSON.parse(path.text).message, 'Path not found: Company Home/secret');
  assert.ok(!service.lines.some((line) => line.includes('"fault"')));
});

test('an id or a path that the repository calls a bad request is 404, without a fault', async (t) => {
  const { get, repository, service } = await inFront(t);
  const root = { id: 'root-id', name: 'Company Home', nodeType: 'cm:folder' };
  repository.behaviour = (request, response) => {
    response.statusCode = request.url?.endsWith('/-root-') ? 200 : 400;
    response.end(response.statusCode === 200 ? JSON.stringify({ entry: root }) : '<h1>Bad Request');
  };
  for (const path of [ofNode('a%2Fb'), ofPath('Company%20Home/none')])
    assert.equal((await get(path)).status, 404, path);
  assert.ok(!service.lines.some((line) => line.includes('"fault"')));
});

test('when the repository refuses the account, a node is 404 and the log says why, without the password', async (t) => {
  const { get, service } = await inFront(t, { TESSERA_NODES_PASSWORD: 'another-password' });
  assert.equal((await get(ofNode('d1'))).status, 404);
  assert.equal((await get(ofPath('Company%20Home'))).status, 404);
  const faults = service.lines.filter((line) => line.includes('"fault"'));
  assert.ok(faults.some((line) => line.includes('refuses the account')));
  for (const secret of ['another-password', Buffer.from('reader:another-password').toString('base64')])
    assert.ok(!service.lines.join().includes(secret));
});

test('another store than the usual one is 404, and nobody is asked', async (t) => {
  const { get, repository } = await inFront(t);
  const { status, text } = await get('/api/node/archive/SpacesStore/d1/actiondefs');
  assert.equal(status, 404);
  assert.equal(JSON.parse(text).message, 'Store not found: archive://SpacesStore');
  assert.deepEqual(repository.asked, []);
});

test('the list of all definitions and a single one need no repository', async (t) => {
  const { names, get, repository } = await inFront(t);
  await repository.stop();
  assert.equal((await names(ALL)).length, 18);
  assert.equal((await get(`${ALL}/transform`)).status, 200);
  assert.deepEqual(repository.asked, []);
});

test('ids and names are encoded one by one, and never lead elsewhere in the repository', async (t) => {
  const { get, names, repository } = await inFront(t);
  assert.ok(seesContent(await names(ofNode('with%20space/and%20slash'))));
  assert.ok(seesContent(await names(ofNode('%3Fx'))));
  assert.ok(repository.asked.at(-2)?.endsWith('/nodes/with%20space%2Fand%20slash'));
  assert.ok(repository.asked.at(-1)?.endsWith('/nodes/%3Fx'));
  for (const id of [
    '%3Frelative=x',
    'd1%3FrelativePath=x',
    'd1%23x',
    'f1/..',
    '../nodes/d1',
    'd1/content',
    'd1%00',
  ])
    assert.equal((await get(ofNode(id))).status, 404, id);
  for (const target of repository.asked) {
    assert.ok(!target.includes('/../'), target);
    assert.equal(target.split('/nodes/')[1]?.includes('/'), false, target);
    assert.ok(!target.includes('#'), target);
  }
});

test('ids that mean something of their own to the repository are no nodes, and nobody is asked', async (t) => {
  const { get, repository } = await inFront(t);
  for (const id of ['-root-', '-my-', '-shared-', '%2Dmy%2D', '.', '..', '%2e%2E'])
    assert.equal((await get(ofNode(id))).status, 404, id);
  for (const path of ['Company%20Home/..', 'Company%20Home/.', 'Company%20Home/%2E%2E/Company%20Home'])
    assert.equal((await get(ofPath(path))).status, 404, path);
  assert.deepEqual(
    repository.asked.filter((target) => !target.endsWith('/nodes/-root-')),
    [],
  );
});

test('a slash inside a name does not make two names of it', async (t) => {
  const { get } = await inFront(t);
  const name = '%C3%9Cbersicht%20&%20Pl%C3%A4ne';
  assert.equal((await get(ofPath(`Company%20Home/${name}/%231%20a+b`))).status, 200);
  for (const path of [`${name}%2F%231%20a+b`, `${name}%2f..%2F${name}`, `%2F${name}`, `${name}%2F`])
    assert.equal((await get(ofPath(`Company%20Home/${path}`))).status, 404, path);
});

test('a path with a name that no node has is refused whole: which of its names leads nowhere, nobody asked', async (t) => {
  const { get } = await inFront(t);
  for (const name of ['..', 'a/b', '.']) {
    const { text } = await get(ofPath(`Company%20Home/post/${encodeURIComponent(name)}`));
    assert.equal(JSON.parse(text).message, `Path not found: Company Home/post/${name}`);
  }
});

test('the repository is asked for those who are known only', async (t) => {
  const { service, repository } = await inFront(t);
  for (const path of [ofNode('d1'), ofNode('nothing'), ofPath('Company%20Home/post')]) {
    for (const headers of [{}, { authorization: `Bearer TICKET_${'0'.repeat(40)}` }])
      assert.equal((await exchange(service.url, `GET ${path}`, { headers })).status, 401);
  }
  assert.deepEqual(repository.asked, []);
});

test('nobody is asked for a call whose input is wrong', async (t) => {
  const { get, repository, service } = await inFront(t);
  const v1 = '/alfresco/api/-default-/public/alfresco/versions/1/nodes/d1/action-definitions';
  for (const path of [`${ofNode('d1')}?explain=perhaps`, `${v1}?maxItems=x`])
    assert.equal((await get(path)).status, 400, path);
  assert.deepEqual(repository.asked, []);
  assert.ok(!service.lines.some((line) => line.includes('"fault"')));
});

test('an answer is shared by those who ask at once, and kept for a moment', async (t) => {
  const { names, repository } = await inFront(t);
  repository.behaviour = (request, response) => {
    setTimeout(() => {
      const id = request.url?.split('/').at(-1);
      response.end(JSON.stringify({ entry: { id, name: 'it', nodeType: 'cm:content' } }));
    }, 100);
  };
  const all = await Promise.all(Array.from({ length: 20 }, () => names(ofNode('d1'))));
  for (const listed of all) assert.ok(seesContent(listed));
  assert.equal(repository.asked.length, 1);
  await names(ofNode('d1'));
  assert.equal(repository.asked.length, 1);
  await names(ofNode('d2'));
  assert.equal(repository.asked.length, 2);
});

test('a hundred answers are waited for at once, and further nodes are unavailable at once without a fault', async (t) => {
  const { names, get, repository, service } = await inFront(t, { TESSERA_NODES_DEADLINE: 'PT60S' });
  const held: (() => void)[] = [];
  repository.behaviour = (request, response) => {
    const id = request.url?.split('/').at(-1);
    held.push(() => response.end(JSON.stringify({ entry: { id, name: 'it', nodeType: 'cm:content' } })));
  };
  const answers = Array.from({ length: 300 }, (_, index) => get(ofNode(`n${index}`)));
  let refused = 0;
  for (const answer of answers) void answer.then(({ status }) => (refused += status === 503 ? 1 : 0));
  await until('two hundred are refused', () => refused === 200);
  await until('a hundred are asked for', () => held.length === 100);
  assert.equal((await names(ALL)).length, 18);
  for (const answer of held) answer();
  const heard = await Promise.all(answers);
  for (const { status, headers } of heard.filter(({ status }) => status !== 200))
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
  assert.equal(heard.filter(({ status }) => status === 200).length, 100);
  assert.equal(service.lines.filter((line) => line.includes('are waited for already')).length, 200);
  assert.ok(!service.lines.some((line) => line.includes('"fault"')));
  repository.behaviour = undefined;
  assert.ok(seesContent(await names(ofNode('d1'))), 'places are given back');
});

test('an answer is kept for a moment only, an absence as well', async (t) => {
  const { get, repository } = await inFront(t);
  let there = false;
  let now = 1;
  t.mock.method(performance, 'now', () => now);
  const status = async () => {
    // The cache reads its clock at most once a millisecond.
    await pause(5);
    return (await get(ofNode('new'))).status;
  };
  repository.behaviour = (_request, response) => {
    response.statusCode = there ? 200 : 404;
    response.end(JSON.stringify({ entry: { id: 'new', name: 'new', nodeType: 'cm:content' } }));
  };
  assert.equal(await status(), 404);
  there = true;
  now = 4_001;
  assert.equal(await status(), 404);
  now = 5_002;
  assert.equal(await status(), 200);
});
