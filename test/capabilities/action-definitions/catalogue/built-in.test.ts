import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ActionDefinition } from '../../../../src/capabilities/action-definitions/domain/action-definition.ts';
import { WELL_KNOWN_NODES } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { load, namesIn } from './documents.ts';

const factsIn = (file: string) =>
  JSON.parse(readFileSync(new URL(`facts/${file}.json`, import.meta.url), 'utf8'));

/** The type hierarchy in `facts/model.json`. */
interface ModelFacts {
  readonly parents: Readonly<Record<string, string | null>>;
  readonly withSubtypes: Readonly<Record<string, readonly string[]>>;
}

const model: ModelFacts = factsIn('model');

/** A definition as the facts show it. A missing label equals an undefined one. */
function factsOf(definition: ActionDefinition): unknown {
  const { name, title, description, adHocPropertiesAllowed, applicableTypes, parameters } = definition;
  const facts = { name, title, description, adHocPropertiesAllowed, applicableTypes, parameters };
  return JSON.parse(JSON.stringify(facts));
}

for (const generation of ['3.2', 'current'] as const) {
  test(`the built-in set of generation ${generation} holds the public definitions of that release, and nothing else`, () => {
    const facts = factsIn(`definitions-${generation}`);
    assert.ok(facts.length > 0);
    assert.deepEqual(load({ generation }).definitions.map(factsOf), facts);
  });
}

test('generation 3.2 has 18 definitions and is in force when nothing is said', () => {
  assert.equal(load().definitions.length, 18);
  assert.ok(namesIn(load()).includes('blog-post'));
  assert.ok(!namesIn(load({ generation: 'current' })).includes('blog-post'));
});

test('the built-in model has the types of the release, each below its own super-types', () => {
  const built = load().model;
  assert.deepEqual([...built.keys()].sort(), Object.keys(model.parents).sort());
  for (const [type, line] of built) {
    const expected: string[] = [];
    for (let at: string | null = type; at !== null; at = model.parents[at] ?? null) expected.push(at);
    assert.deepEqual([...line], expected);
  }
});

test('the built-in model has the subtypes that the release has of content, folder and object', () => {
  const built = load().model;
  for (const [top, subtypes] of Object.entries(model.withSubtypes)) {
    const found = [...built].filter(([, line]) => line.has(top)).map(([type]) => type);
    assert.deepEqual(found.sort(), subtypes);
  }
});

test('the nodes of a fresh store have types of the built-in model', () => {
  for (const { type } of WELL_KNOWN_NODES) assert.ok(load().model.has(type), type);
});
