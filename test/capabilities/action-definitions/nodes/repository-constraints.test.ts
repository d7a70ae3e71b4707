import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ask } from '../../../service/talk.ts';
import { aDefinition, folderOf } from '../catalogue/documents.ts';
import { type Asking, asking } from '../rule/asking.ts';
import { type Behaviour, ContentRepository, kept, READER } from './content-repository.ts';

const LIST = '/api/actionConstraints';
const V1 = '/alfresco/api/-default-/public/alfresco/versions/1/action-parameter-constraints';
const PATHS = [`${LIST}/ac-aspects`, `${V1}/ac-aspects`, LIST, `${LIST}?name=ac-aspects`];

async function inFront(t: TestContext): Promise<Asking & { repository: ContentRepository }> {
  const repository = await ContentRepository.start(t, kept('root-id', 'cm:folder', 'Company Home'));
  repository.constraints = {
    'ac-aspects': { 'cm:titled': 'Titled', 'cm:dated': '' },
    'ac-scripts': { 'workspace://SpacesStore/s1': 'backup.js' },
    'ac-content-properties': { OTHER: 'never shown' },
    letters: { x: 'X' },
    'no parameter / ä': { y: 'Y' },
  };
  const definition = aDefinition('own', {
    parameters: [
      { name: 'a', type: 'd:noderef', constraint: 'ac-scripts' },
      { name: 'b', type: 'd:text', constraint: 'unknown there' },
      { name: 'c', type: 'd:text', constraint: 'never asked for' },
      { name: 'd', type: 'd:int', constraint: 'letters' },
      { name: 'e', type: 'd:text', constraint: 'letters' },
    ],
  });
  const { at } = await folderOf(t, { 'own.json': { definitions: [definition] } });
  const caller = await asking(t, {
    TESSERA_DEFINITIONS: at('own.json'),
    TESSERA_NODES: repository.url,
    TESSERA_NODES_USER: READER.name,
    TESSERA_NODES_PASSWORD: READER.password,
    TESSERA_NODES_DEADLINE: 'PT0.3S',
  });
  return { ...caller, repository };
}

const answering =
  (status: number, body: unknown = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

test('values that the catalogue lacks come from the content repository', async (t) => {
  const { get } = await inFront(t);
  assert.deepEqual(JSON.parse((await get(`${LIST}/ac-aspects`)).text).data.values, [
    { value: 'cm:titled', displayLabel: 'Titled' },
    { value: 'cm:dated', displayLabel: 'cm:dated' },
  ]);
  assert.deepEqual(JSON.parse((await get(`${LIST}/ac-scripts`)).text).data.values, [
    { value: 'workspace://SpacesStore/s1', displayLabel: 'backup.js' },
  ]);
  assert.deepEqual(JSON.parse((await get(`${V1}/ac-scripts`)).text).entry.constraintValues, [
    { value: 's1', label: 'backup.js' },
  ]);
});

test('values of the catalogue are never asked for', async (t) => {
  const { get, repository } = await inFront(t);
  assert.equal(JSON.parse((await get(`${LIST}/ac-content-properties`)).text).data.values.length, 3);
  assert.deepEqual(repository.asked, []);
});

test('the list joins the catalogue and the repository', async (t) => {
  const { get, repository } = await inFront(t);
  const { data } = JSON.parse((await get(LIST)).text);
  const counts = data.map(
    ({ name, values }: { name: string; values: unknown[] }) => `${name} ${values.length}`,
  );
  assert.deepEqual(counts, [
    ...['ac-aspects 2', 'ac-compare-operations 8', 'ac-content-properties 3', 'ac-email-templates 0'],
    ...['ac-mimetypes 0', 'ac-properties 0', 'ac-scripts 1', 'ac-types 0', 'letters 1'],
    ...['never asked for 0', 'no parameter / ä 1', 'unknown there 0'],
  ]);
  assert.equal(repository.asked.length, 1);
});

test('a name that only the catalogue knows has no values, and one that nobody knows is 404', async (t) => {
  const { get, repository } = await inFront(t);
  assert.deepEqual(JSON.parse((await get(`${LIST}/unknown%20there`)).text).data.values, []);
  assert.equal((await get(`${LIST}/nothing`)).status, 404);
  assert.equal(repository.asked.length, 2);
  assert.equal((await get(`${LIST}/${encodeURIComponent('..\\..')}`)).status, 404);
  assert.equal((await get(`${LIST}/${'x'.repeat(257)}`)).status, 404);
  assert.equal((await get(`${LIST}?name=%00`)).status, 200);
  for (const name of ['.', '..']) assert.equal((await get(`${LIST}?name=${name}`)).status, 200);
  assert.equal((await get(`${LIST}?name=a/b`)).status, 200);
  assert.equal(repository.asked.length, 2);
});

test('a repository that is older than these web scripts knows no values', async (t) => {
  const { get, repository } = await inFront(t);
  repository.constraints = undefined;
  assert.deepEqual(JSON.parse((await get(`${LIST}/ac-aspects`)).text).data.values, []);
  assert.equal(JSON.parse((await get(LIST)).text).data.length, 11);
});

test('an answer is kept for a moment, and shared by callers that ask at the same time', async (t) => {
  const { get, repository } = await inFront(t);
  await Promise.all([get(`${LIST}/ac-aspects`), get(`${V1}/ac-aspects`), get(`${LIST}/ac-aspects`)]);
  assert.equal(repository.asked.length, 1);
});

test('a validation knows the values of the repository, and asks only for parameters that are given', async (t) => {
  const { service, ticket, repository } = await inFront(t);
  const verdict = async (parameterValues: object, query = '') => {
    const { status, text } = await ask(`${service.url}/api/rules/actiondefs/own/validate${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ticket}` },
      body: JSON.stringify({ parameterValues }),
    });
    const { faults = [] } = JSON.parse(text);
    return [status, ...faults.map(({ message }: { message: string }) => message)];
  };
  assert.deepEqual(await verdict({}), [200]);
  assert.deepEqual(repository.asked, []);
  assert.deepEqual(await verdict({ a: 's1' }), [200]);
  assert.deepEqual(await verdict({ a: 'workspace://SpacesStore/s1' }), [200]);
  const message = '"a" allows "workspace://SpacesStore/s1", and nothing else.';
  assert.deepEqual(await verdict({ a: 's2' }), [422, message]);
  assert.equal(repository.asked.length, 1);
  assert.deepEqual(await verdict({ b: 'anything' }), [200]);
  assert.deepEqual(await verdict({ d: 5 }), [200], 'no value of the constraint is a number');
  assert.deepEqual((await verdict({ e: 'y' }))[0], 422);
  assert.deepEqual(await verdict({}, '?node=workspace://SpacesStore/root-id'), [200]);
  assert.deepEqual((await verdict({}, '?node=workspace://SpacesStore/nothing'))[0], 404);
  repository.behaviour = answering(500);
  assert.deepEqual((await verdict({ c: 'x' }))[0], 503);
});

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'does not answer in time': () => undefined,
  'hangs up': (request) => request.socket.destroy(),
  'answers 500': answering(500),
  'answers 400': answering(400),
  'answers 403': answering(403),
  'answers with nothing': answering(200, null),
  'answers with a list of something else': answering(200, { data: [{ name: 5, values: [] }] }),
  'answers with values that are no texts': answering(200, {
    data: { name: 'ac-aspects', values: [{ value: 5, displayLabel: 'five' }] },
  }),
};

for (const [what, behaviour] of Object.entries(BEHAVIOURS)) {
  test(`a repository that ${what} makes values unavailable, never an empty choice`, async (t) => {
    const { get, repository, service } = await inFront(t);
    repository.behaviour = behaviour;
    for (const path of PATHS) {
      const { status, headers } = await get(path);
      assert.equal(status, 503, path);
      assert.equal(headers['retry-after'], '5');
    }
    assert.ok(service.lines.some((line) => line.includes('cannot answer')));
    repository.behaviour = undefined;
    assert.equal((await get(`${LIST}/ac-aspects`)).status, 200);
  });
}

test('an account that the repository refuses is told in the log, and the values are unavailable', async (t) => {
  const { get, repository, service } = await inFront(t);
  repository.behaviour = answering(401);
  assert.equal((await get(`${LIST}/ac-aspects`)).status, 503);
  assert.ok(service.lines.some((line) => line.includes('refuses the account')));
});
