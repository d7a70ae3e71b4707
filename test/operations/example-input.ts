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

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly examples?: readonly ExampleValue[] }>>;
  readonly required?: readonly string[];
}

/** The examples of one part of an input; a name that a call needs and that has none is `undefined`. */
function examplesOf(
  operation: AnyOperation,
  part: keyof InputSchemas,
  ticket: string,
): readonly (readonly [name: string, value: ExampleValue | undefined])[] {
  const { properties = {}, required = [] } = (operation.input[part] ?? {}) as Schema;
  const template = templateOf(operation);
  const isNeeded = (name: string) =>
    part === 'path' ? template.includes(`{${name}}`) : required.includes(name);
  const isLeftOut = (name: string, examples: unknown) =>
    part === 'path' ? !isNeeded(name) : examples === undefined && !isNeeded(name);
  return Object.entries(properties)
    .filter(([name, { examples }]) => !isLeftOut(name, examples))
    .map(([name, { examples }]) => [name, name === 'ticket' || name === 'token' ? ticket : examples?.[0]]);
}

/** What the call that ought to succeed is made with: the examples of the descriptor, with this ticket. */
export function exampleInput(operation: AnyOperation, ticket: string): ExampleInput {
  const given = (part: keyof InputSchemas) =>
    Object.fromEntries(
      examplesOf(operation, part, ticket).map(([name, value]) => [
        name,
        value ??
          assert.fail(
            `${operation.id}: give "${name}" in its ${part} \`examples\`, by which the laws call it as ${ALICE.name}`,
          ),
      ]),
    );
  return { path: given('path'), query: given('query'), body: given('body') };
}

const TICKET = `TICKET_${'0'.repeat(40)}`;
const PARTS = ['path', 'query', 'body'] as const;

/** Whether the examples of an operation name this value, which is of the user who calls. */
function names(operation: AnyOperation, own: string): boolean {
  const values = PARTS.flatMap((part) => examplesOf(operation, part, TICKET)).map(([, value]) => value);
  return operation.authentication === 'user' && values.includes(own);
}

/** Whether the examples of an operation name the user who calls. */
export const namesItsCaller = (operation: AnyOperation) => names(operation, ALICE.name);

/** Whether the examples of an operation name the user who calls, or a ticket of that user. */
export const isOfItsCaller = (operation: AnyOperation) =>
  namesItsCaller(operation) || names(operation, TICKET);
