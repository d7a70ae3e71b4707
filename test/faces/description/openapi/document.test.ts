import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { MEDIA_TYPES } from '../../../../src/core/http/formats.ts';
import { STATUS } from '../../../../src/core/http/status.ts';
import { formatsOf } from '../../../../src/core/representations/representation.ts';
import { openApiDocument } from '../../../../src/faces/description/openapi/document.ts';
import { refusalsOf } from '../../../../src/faces/description/openapi/responses.ts';
import { operations } from '../../../../src/main/operations.ts';
import { startTestService } from '../../../service/start.ts';
import { ask } from '../../../service/talk.ts';

type Responses = Readonly<
  Record<
    string,
    {
      readonly $ref?: string;
      readonly content?: object;
      readonly 'x-refusals'?: readonly { readonly code: string }[];
    }
  >
>;

interface Described {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Responses;
  readonly [attribute: `x-${string}`]: unknown;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];
const document = openApiDocument(operations, '/alfresco/service');
const paths = document.paths as Paths;
const { responses } = document.components as { readonly responses: Responses };
const listed = Object.entries(paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((member) => METHODS.includes(member))
    .map((method) => `${method.toUpperCase()} ${path}`),
);

test('the document is valid OpenAPI 3.1, as a public validator judges', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.equal(validator.version, '3.1');
});

test('the validator refuses an invalid document', async () => {
  const broken = {
    ...JSON.parse(JSON.stringify(document)),
    paths: { '/api/login': { get: { responses: 200 } } },
  };
  const { valid } = await new Validator().validate(broken);
  assert.equal(valid, false);
});

test('the document lists exactly the operations that are served', () => {
  const there = operations.flatMap(({ method, paths: templates }) =>
    templates.map((path) => `${method} ${path}`),
  );
  assert.deepEqual(listed.toSorted(), there.toSorted());
  const ids = Object.values(paths).flatMap((item) =>
    METHODS.flatMap((method) => item[method]?.operationId ?? []),
  );
  assert.deepEqual(ids, [...new Set(ids)]);
});

for (const operation of operations) {
  const descriptions = operation.paths.map(
    (path) => paths[path]?.[operation.method.toLowerCase()] ?? assert.fail(`${operation.id} is missing`),
  );

  test(`${operation.id}: is described with every attribute of its descriptor`, () => {
    for (const described of descriptions) {
      assert.equal(described['x-operation'], operation.id);
      assert.equal(described['x-lifecycle'], operation.lifecycle);
      assert.equal(described['x-authentication'], operation.authentication);
      assert.equal(described['x-role'], operation.role);
      assert.equal(described['x-transaction'], operation.transaction);
      assert.equal(described['x-format-style'], operation.formatStyle);
      assert.equal(described['x-default-format'], operation.defaultFormat);
      assert.deepEqual(described.tags, [operation.family]);
      assert.equal(described.security.length === 0, operation.authentication === 'none');
      assert.equal(described.requestBody !== undefined, operation.input.body !== undefined);
    }
  });

  test(`${operation.id}: is described with its parameters, formats and refusals`, () => {
    const { path = { properties: {} }, query = { properties: {} } } = operation.input;
    for (const [nth, described] of descriptions.entries()) {
      const template = operation.paths[nth] as string;
      const inPath = Object.keys(path.properties).filter((name) => template.includes(`{${name}}`));
      const names = described.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      const inQuery = [...Object.keys(query.properties), ...(operation.anyRequest ? [] : ['format'])];
      assert.deepEqual(names, [
        ...inPath.map((name) => `path ${name}`),
        ...inQuery.map((name) => `query ${name}`),
        ...(operation.revalidated ? ['header If-None-Match', 'header Accept-Language'] : []),
        ...(operation.ifMatch ? ['header If-Match'] : []),
        ...(operation.streams ? ['header Last-Event-ID'] : []),
      ]);
      const { [operation.answers ?? 200]: answered } = described.responses;
      const types = formatsOf(operation.output).map((format) => MEDIA_TYPES[format].split(';')[0] as string);
      assert.deepEqual(Object.keys(answered?.content ?? {}), operation.output.isEmpty ? [] : types);
      for (const code of refusalsOf(operation)) {
        const refused = responses[described.responses[STATUS[code]]?.$ref?.split('/').at(-1) ?? ''];
        assert.ok(
          refused?.['x-refusals']?.some((each) => each.code === code),
          code,
        );
        assert.ok('application/problem+json' in (refused?.content ?? {}));
      }
    }
  });
}

test('a service serves the same document, below each of its base paths', async (t) => {
  const { url, settings } = await startTestService(t, { TESSERA_INDEX: 'public' });
  for (const basePath of settings.basePaths) {
    const { status, text, headers } = await ask(`${url}${basePath}/openapi.json`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), MEDIA_TYPES.json);
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(openApiDocument(operations, basePath))));
  }
});
