import type { AnyOperation } from '../operation.ts';

/** Who may read what the service tells of itself: the setting `TESSERA_INDEX`. */
export type Visibility = 'public' | 'user' | 'off';

/** What is set about operations that are served. */
export interface Serving {
  readonly index: Visibility;
  /** Status with which the gate lets a request through. */
  readonly gateAnswers: '200' | '204';
}

/** An operation that users alone may call: they are known inside a transaction only. */
const forUsers = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  authentication: 'user',
  transaction: 'required',
  access: 'read',
});

/** The operation for requests to other services, with the status that the proxy in front takes for a yes. */
const answering = (operation: AnyOperation, status: Serving['gateAnswers']): AnyOperation =>
  operation.anyRequest ? { ...operation, answers: status === '200' ? 200 : 204 } : operation;

/**
 * The operations that are served: those that describe the service are open, on level `user`, or not there at all.
 * What is described is what is served, so the index and the OpenAPI document say the same.
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
