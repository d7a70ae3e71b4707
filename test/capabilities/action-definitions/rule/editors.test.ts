import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startTestService } from '../../../service/start.ts';
import { ask, basic, logIn } from '../../../service/talk.ts';
import { ContentRepository, kept, READER } from '../nodes/content-repository.ts';

/** Gets JSON from a path, as an editor presents its ticket. Any status but 200 ends the editor. */
type Get = <T>(path: string) => Promise<T>;

interface Named {
  readonly name: string;
}

type Data<T> = { readonly data: T };

interface Constraint extends Named {
  readonly values: readonly { readonly value: string; readonly displayLabel: string }[];
}

/** Asks with the ticket in the query, as web scripts' clients do, or in `Authorization`, as those of v1 do. */
function getWith(url: string, ticket: string, where: 'query' | 'header'): Get {
  return async (path) => {
    const target = where === 'query' ? `${path}${path.includes('?') ? '&' : '?'}alf_ticket=${ticket}` : path;
    const headers = where === 'header' ? basic(`ROLE_TICKET:${ticket}`) : {};
    const { status, text } = await ask(url + target, { headers });
    assert.equal(status, 200, path);
    return JSON.parse(text);
  };
}

const V1 = '/alfresco/api/-default-/public/alfresco/versions/1';

interface V1Parameter extends Named {
  readonly parameterConstraintName?: string;
}

/** What the rule editor of the content app asks, and the choices that it offers by the name of the constraint. */
async function contentApp(get: Get): Promise<Map<string, readonly string[]>> {
  const { list } = await get<{
    list: { entries: { entry: { parameterDefinitions?: V1Parameter[] } }[] };
  }>(`${V1}/action-definitions`);
  const parameters = list.entries.flatMap(({ entry }) => entry.parameterDefinitions ?? []);
  const names = parameters.flatMap(({ parameterConstraintName = [] }) => parameterConstraintName);
  const choices = names.map(async (name) => {
    const { entry } = await get<{ entry: { constraintValues: { label: string }[] } }>(
      `${V1}/action-parameter-constraints/${name}`,
    );
    return [name, entry.constraintValues.map(({ label }) => label)] as const;
  });
  return new Map(await Promise.all(choices));
}

/** What Share asks before it shows a rule, with what it cannot do without. */
async function share(get: Get): Promise<Map<string, Constraint['values']>> {
  const { data: all } = await get<Data<Constraint[]>>('/alfresco/s/api/actionConstraints');
  assert.ok(all.find(({ name }) => name === 'ac-scripts'));
  const { data: types } = await get<Data<Named[]>>('/alfresco/s/api/ruletypes');
  assert.deepEqual(types.map(({ name }) => name).sort(), ['inbound', 'outbound', 'update']);
  const { data: conditions } = await get<Data<Named[]>>('/alfresco/s/api/actionconditiondefinitions');
  for (const apart of ['compare-property-value', 'compare-mime-type'])
    assert.ok(conditions.some(({ name }) => name === apart));
  assert.ok((await get<Data<Named[]>>('/alfresco/s/api/actiondefinitions')).data.length > 0);
  const mails = await get<Data<Constraint[]>>('/alfresco/s/api/actionConstraints?name=ac-email-templates');
  assert.ok(mails.data[0]?.values);
  const properties = await get<Data<Constraint>>('/alfresco/s/api/actionConstraints/ac-content-properties');
  assert.deepEqual(
    properties.data.values.map(({ value }) => value),
    ['MIME_TYPE', 'ENCODING', 'SIZE'],
  );
  return new Map(all.map(({ name, values }) => [name, values]));
}

/** What a PHP client asks, which always sends a name and a format. */
async function php(get: Get): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const path of [
    'ruletypes?',
    'actionconditiondefinitions?',
    'actiondefinitions?',
    'actionConstraints?name=&',
  ])
    counts.push((await get<Data<unknown[]>>(`/alfresco/service/api/${path}format=json`)).data.length);
  return counts;
}

async function inFrontOfARepository(t: TestContext): Promise<Record<string, string>> {
  const repository = await ContentRepository.start(t, kept('root-id', 'cm:folder', 'Company Home'));
  repository.constraints = {
    'ac-aspects': { 'cm:titled': 'Titled' },
    'ac-email-templates': { 'workspace://SpacesStore/m1': 'notify.ftl' },
    'ac-scripts': { 'workspace://SpacesStore/s1': 'backup.js' },
  };
  return {
    TESSERA_NODES: repository.url,
    TESSERA_NODES_USER: READER.name,
    TESSERA_NODES_PASSWORD: READER.password,
  };
}

for (const generation of ['3.2', 'current']) {
  for (const behind of ['nothing', 'a content repository']) {
    test(`rule editors get all that they ask for: definitions ${generation}, behind it ${behind}`, async (t) => {
      const nodes = behind === 'nothing' ? {} : await inFrontOfARepository(t);
      const { url } = await startTestService(t, { TESSERA_DEFINITIONS_GENERATION: generation, ...nodes });
      const ticket = await logIn(url);
      const hasRepository = behind !== 'nothing';
      const choices = await contentApp(getWith(url, ticket, 'header'));
      assert.equal(choices.size, generation === 'current' ? 6 : 0);
      if (generation === 'current')
        assert.deepEqual(choices.get('ac-scripts'), hasRepository ? ['backup.js'] : []);
      const constraints = await share(getWith(url, ticket, 'query'));
      assert.deepEqual(
        constraints.get('ac-aspects')?.map(({ displayLabel }) => displayLabel),
        hasRepository ? ['Titled'] : [],
      );
      const [types, conditions, , listed] = await php(getWith(url, ticket, 'query'));
      assert.deepEqual([types, conditions, listed], [3, 11, 8]);
    });
  }
}
