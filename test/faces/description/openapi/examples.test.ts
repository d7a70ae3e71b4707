import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../../../src/faces/description/openapi/document.ts';
import { operations } from '../../../../src/main/operations.ts';

type Schema = Readonly<Record<string, unknown>>;

const document = JSON.parse(JSON.stringify(openApiDocument(operations, '')));
const ajv = new Ajv2020({ strict: false });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'described:', components: document.components });

/** Every schema with examples inside a value, with its place. */
function withExamples(value: unknown, place = ''): [place: string, schema: Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => withExamples(member, `${place}/${name}`));
  return Array.isArray((value as Schema).examples) ? [[place, value as Schema], ...inner] : inner;
}

test('every example is one that its schema takes', () => {
  const all = withExamples(document);
  assert.ok(all.length > 10);
  for (const [place, schema] of all) {
    const rooted = JSON.stringify(schema).replaceAll('"#/components/', '"described:#/components/');
    const validate = ajv.compile(JSON.parse(rooted));
    for (const example of schema.examples as readonly unknown[])
      assert.ok(
        validate(example),
        `${place}: ${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`,
      );
  }
});

test('each scope has an example of its own', () => {
  const examplesOf = (template: string) =>
    document.paths[template].get.parameters.find(({ name }: { name: string }) => name === 'id').schema
      .examples;
  const [, byNode, byPath] = operations.find(({ id }) => id.endsWith('/rule/actiondefs.get'))?.paths ?? [];
  assert.deepEqual(examplesOf(byNode ?? ''), ['company-home']);
  assert.deepEqual(examplesOf(byPath ?? ''), ['Company Home']);
});
