import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ActionDefinition } from '../../../../src/capabilities/action-definitions/domain/action-definition.ts';
import { applies } from '../../../../src/capabilities/action-definitions/domain/applicability.ts';
import {
  type ContentModel,
  contentModel,
  type TypeDefinition,
} from '../../../../src/capabilities/action-definitions/domain/content-model.ts';

const nameOf = (n: number) => `t:type${n}`;
/** Names of types that no model here knows. */
const STRANGERS = ['t:stranger', 't:other-stranger'];

/** Types in any order, each with its parent among the others. */
const hierarchies: fc.Arbitrary<TypeDefinition[]> = fc
  .array(fc.option(fc.nat(), { nil: undefined }), { minLength: 1, maxLength: 30 })
  .map((seeds) =>
    seeds.map((seed, n): TypeDefinition => {
      if (seed === undefined || n === 0) return { name: nameOf(n) };
      return { name: nameOf(n), parent: nameOf(seed % n) };
    }),
  )
  .chain((types) => fc.shuffledSubarray(types, { minLength: types.length }));

const anyType = fc.oneof(fc.nat(29).map(nameOf), fc.constantFrom(...STRANGERS));

function definitionFor(applicableTypes: readonly string[]): ActionDefinition {
  const definition = { name: 'any', adHocPropertiesAllowed: false, applicableTypes, parameters: [] };
  return definition as Partial<ActionDefinition> as ActionDefinition;
}

/** The rule of the specification, step by step. */
function appliesByWalking(
  listed: readonly string[],
  nodeType: string,
  types: readonly TypeDefinition[],
): boolean {
  if (listed.length === 0) return true;
  const find = (name: string | undefined) => types.find((type) => type.name === name);
  for (let type = find(nodeType); type !== undefined; type = find(type.parent))
    if (listed.includes(type.name)) return true;
  return false;
}

function modelOf(types: readonly TypeDefinition[]): ContentModel {
  const model = contentModel(types);
  if ('faults' in model) throw new Error(JSON.stringify(model.faults));
  return model;
}

test('over any model, a definition applies exactly where a walk to the super-types says so', () => {
  fc.assert(
    fc.property(hierarchies, fc.array(anyType, { maxLength: 4 }), anyType, (types, listed, nodeType) => {
      assert.equal(
        applies(definitionFor(listed), nodeType, modelOf(types)),
        appliesByWalking(listed, nodeType, types),
      );
    }),
    { numRuns: 500 },
  );
});

test('what applies to a type applies to all its subtypes', () => {
  fc.assert(
    fc.property(hierarchies, anyType, (types, listed) => {
      const model = modelOf(types);
      for (const { name, parent } of types) {
        if (parent === undefined || !applies(definitionFor([listed]), parent, model)) continue;
        assert.ok(applies(definitionFor([listed]), name, model), `${name} below ${parent}`);
      }
    }),
  );
});

test('a model in which one type is made its own super-type is refused, naming a type of the circle', () => {
  fc.assert(
    fc.property(hierarchies, fc.nat(), (types, seed) => {
      const low = types[seed % types.length] as TypeDefinition;
      const circle = [...(modelOf(types).get(low.name) ?? [])];
      const top = circle.at(-1);
      const bent = types.map((type) => (type.name === top ? { ...type, parent: low.name } : type));
      const result = contentModel(bent);
      assert.ok('faults' in result);
      assert.ok(result.faults.some(({ type }) => circle.includes(type)));
    }),
  );
});
