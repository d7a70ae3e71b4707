import type { AnyOperation } from '../operation.ts';

/** Who may read what the service says about itself: the setting `TESSERA_INDEX`. */
type Visibility = 'public' | 'user' | 'off';

/** The settings that change which operations are served, and how. */
export interface Serving {
  readonly index: Visibility;
  /** The status of the gate's yes. */
  readonly gateAnswers: '200' | '204';
}

/** The same operation for users only. It needs a transaction, since the caller is known only inside one. */
const forUsers = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  authentication: 'user',
  transaction: 'required',
  access: 'read',
});

/** The gate operation with the status that the proxy in front takes for a yes. */
const answering = (operation: AnyOperation, status: Serving['gateAnswers']): AnyOperation =>
  operation.anyRequest ? { ...operation, answers: status === '200' ? 200 : 204 } : operation;

/**
 * The operations that the service serves. Those that describe the service are public, for users, or not served. Only
 * served operations are described, so the index and the OpenAPI document agree.
 */
export function servedWith(
  { index, gateAnswers }: Serving,
  operations: readonly AnyOperation[],
): readonly AnyOperation[] {
  return operations.flatMap((operation) => {
    if (index === 'public' || !operation.describes) return [answering(operation, gateAnswers)];
    return index === 'user' ? [forUsers(operation)] : [];
  });
}
