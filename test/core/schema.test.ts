import { deepStrictEqual, strictEqual } from 'node:assert';
import { test } from 'node:test';
import library from 'typebox';
import { Compile } from 'typebox/schema';
import { Type } from '../../src/core/schema.ts';

/** The same schema, made by our functions and by the library's. */
const made: Record<keyof typeof Type, (by: typeof Type) => object> = {
  Array: (by) => by.Array(by.String({ minLength: 1 }), { minItems: 1, description: 'texts' }),
  Boolean: (by) => by.Boolean({ default: false }),
  Integer: (by) => by.Integer({ minimum: 1 }),
  Literal: (by) => by.Array(by.Union([by.Literal('one'), by.Literal(2), by.Literal(true, { title: 'yes' })])),
  Null: (by) => by.Null(),
  Number: (by) => by.Number({ maximum: 0.5 }),
  Object: (by) =>
    by.Object({ one: by.Integer(), two: by.Optional(by.Null()) }, { additionalProperties: false }),
  Optional: (by) => by.Object({ all: by.Optional(by.String()), may: by.Optional(by.Array(by.Integer())) }),
  Record: (by) =>
    by.Array(
      by.Union([
        by.Record(by.String(), by.Object({}), { description: 'by name' }),
        by.Record(by.String({ pattern: '^[a-z]$' }), by.String()),
      ]),
    ),
  String: (by) => by.String({ pattern: '^a' }),
  Undefined: (by) => by.Undefined({ description: 'nothing' }),
  Union: (by) => by.Union([by.String(), by.Null()], { description: 'a text or none' }),
  Unknown: (by) => by.Unknown({ description: 'anything' }),
};

for (const [kind, make] of Object.entries(made)) {
  test(`${kind} is made as the library makes it`, () => {
    strictEqual(JSON.stringify(make(Type)), JSON.stringify(make(library)));
  });
}

test('the library checks by what is made here', () => {
  const validator = Compile(made.Object(Type));
  deepStrictEqual(
    [{ one: 1 }, { one: 1, two: null }, { two: null }, { one: 'no' }].map((value) => validator.Check(value)),
    [true, true, false, false],
  );
});

test('what is made optional stays as it was where it stands elsewhere', () => {
  const text = Type.String();
  const both = Type.Object({ may: Type.Optional(text), must: text });
  deepStrictEqual(both.required, ['must']);
});
