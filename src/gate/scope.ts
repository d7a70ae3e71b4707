import type { Node } from '../domain/node.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { locate, type NodeRefusal, type RemoteNodes } from '../nodes/locate.ts';
import type { AnyOperation } from '../operation.ts';
import type { ReadUnit, WriteUnit } from '../storage/store.ts';
import type { Call } from './call.ts';
import type { OperationArguments } from './operation-context.ts';

/** The node that a call is scoped to, from those who are asked before the transaction. */
export async function nodeElsewhere(
  operation: AnyOperation,
  call: Call,
  input: unknown,
  remote: RemoteNodes | undefined,
): Promise<Node | NodeRefusal | undefined> {
  const reference = remote && operation.scopedTo?.(input as never, call.template);
  return reference && remote?.locate(reference);
}

/** The node that a call is scoped to, from who was asked before the transaction or else from the store. */
export function nodeOf(
  operation: AnyOperation,
  call: Call,
  unit: ReadUnit | WriteUnit,
  { input, prepared }: OperationArguments,
): MaybePromise<Node | NodeRefusal | undefined> {
  if (prepared.node !== undefined) return prepared.node;
  const reference = operation.scopedTo?.(input as never, call.template);
  return reference && locate(unit, reference);
}
