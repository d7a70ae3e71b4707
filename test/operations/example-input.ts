import assert from 'node:assert/strict';
import type { AnyOperation, InputSchemas } from '../../src/operation.ts';

/** The user that the examples in the descriptors are of, and who makes the calls of the laws. */
export const ALICE = { name: 'alice', password: 'a long quiet river' };

/** A value that an operation is called with, as JSON. */
export type ExampleValue = string | readonly string[];

/** What an operation is called with, by the examples of its descriptor. */
export type ExampleInput = Readonly<Record<keyof InputSchemas, Readonly<Record<string, ExampleValue>>>>;

/** The first path template that has names; the first one where none has. */
export function templateOf({ paths }: AnyOperation): string {
  return paths.find((path) => path.includes('{')) ?? (paths[0] as string);
}

/** What the descriptor's examples give to the call that ought to succeed. A ticket is replaced by `ticket`. */
export function exampleInput(operation: AnyOperation, ticket: string): ExampleInput {
  const { id, input } = operation;
  const template = templateOf(operation);
  const given = (part: keyof InputSchemas) => {
    const schema = input[part] as Schema | undefined;
    const members = Object.entries(schema?.properties ?? {}).flatMap(([name, { examples }]) => {
      if (part === 'path' && !template.includes(`{${name}}`)) return [];
      if (name === 'ticket' || name === 'token') return [[name, ticket]];
      if (examples !== undefined) return [[name, examples[0]]];
      const needed = part === 'path' || schema?.required?.includes(name);
      assert.ok(
        !needed,
        `${id}: give "${name}" of its ${part} \`examples\` in the descriptor: the laws call by them`,
      );
      return [];
    });
    return Object.fromEntries(members);
  };
  return { path: given('path'), query: given('query'), body: given('body') };
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly examples?: readonly ExampleValue[] }>>;
  readonly required?: readonly string[];
}

/** The values that the examples name, in all parts of the input. */
function valuesOf(operation: AnyOperation): readonly ExampleValue[] {
  return Object.values(exampleInput(operation, TICKET)).flatMap((part) => Object.values(part));
}

const TICKET = `TICKET_${'0'.repeat(40)}`;

/** Whether the examples of an operation name the user who calls. */
export function namesItsCaller(operation: AnyOperation): boolean {
  return operation.authentication === 'user' && valuesOf(operation).includes(ALICE.name);
}

/** Whether the examples of an operation name the user who calls, or a ticket of that user. */
export function isOfItsCaller(operation: AnyOperation): boolean {
  return (
    operation.authentication === 'user' && (namesItsCaller(operation) || valuesOf(operation).includes(TICKET))
  );
}
