import assert from 'node:assert/strict';
import type { AnyOperation, InputSchemas } from '../../src/core/operation.ts';

/** The user in the examples of the descriptors, who also makes the calls of the laws. */
export const ALICE = { name: 'alice', password: 'a long quiet river' };

/** A value in the input of an operation. */
export type ExampleValue = string | readonly string[];

/** The input of a call, from the examples of the descriptor. */
export type ExampleInput = Readonly<Record<keyof InputSchemas, Readonly<Record<string, ExampleValue>>>>;

/** The first path template with names, or the first of all if none has any. */
export function templateOf({ paths }: AnyOperation): string {
  return paths.find((path) => path.includes('{')) ?? (paths[0] as string);
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly examples?: readonly ExampleValue[] }>>;
  readonly required?: readonly string[];
}

/** The examples of one part of the input. A required name without an example is `undefined`. */
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

/**
 * The input of a call that has to succeed: the examples of the descriptor, with this ticket. Fails if an example is
 * missing.
 */
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

/** Whether the examples contain this value, which belongs to the calling user. */
function names(operation: AnyOperation, own: string): boolean {
  const values = PARTS.flatMap((part) => examplesOf(operation, part, TICKET)).map(([, value]) => value);
  return operation.authentication === 'user' && values.includes(own);
}

/** Whether the examples contain the name of the calling user. */
export const namesItsCaller = (operation: AnyOperation) => names(operation, ALICE.name);

/** Whether the examples contain the name or a ticket of the calling user. */
export const isOfItsCaller = (operation: AnyOperation) =>
  namesItsCaller(operation) || names(operation, TICKET);
