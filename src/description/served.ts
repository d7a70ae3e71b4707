import type { AnyOperation } from '../operation.ts';

/** Who may read what the service tells of itself: the setting `TESSERA_INDEX`. */
export type Visibility = 'public' | 'user' | 'off';

/** An operation that users alone may call: they are known inside a transaction only. */
const forUsers = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  authentication: 'user',
  transaction: 'required',
  access: 'read',
});

/**
 * The operations that are served: those that describe the service are open, on level `user`, or not there at all.
 * What is described is what is served, so the index and the OpenAPI document say the same.
 */
export function servedWith(
  visibility: Visibility,
  operations: readonly AnyOperation[],
): readonly AnyOperation[] {
  if (visibility === 'public') return operations;
  return operations.flatMap((operation) => {
    if (!operation.describes) return [operation];
    return visibility === 'user' ? [forUsers(operation)] : [];
  });
}
