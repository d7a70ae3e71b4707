import type { AnyOperation } from '../../core/operation.ts';
import type { Settings } from '../../core/settings/table.ts';

/** The same operation for users only. It needs a transaction, since the caller is known only inside one. */
const forUsers = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  authentication: 'user',
  transaction: 'required',
  access: 'read',
});

/**
 * The operations that the service serves. Those that describe the service are public, for users, or not served. Only
 * served operations are described, so the index and the OpenAPI document agree.
 */
export function servedWith(settings: Settings, operations: readonly AnyOperation[]): readonly AnyOperation[] {
  const { index } = settings;
  return operations.flatMap((operation) => {
    if (index === 'public' || !operation.describes)
      return [operation.anyRequest?.servedWith(settings) ?? operation];
    return index === 'user' ? [forUsers(operation)] : [];
  });
}
