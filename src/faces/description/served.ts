import type { UserDetail } from '../../capabilities/proxy-gate/gate-headers.ts';
import type { AnyOperation } from '../../core/operation.ts';

/** Who may read what the service says about itself: the setting `TESSERA_INDEX`. */
type Visibility = 'public' | 'user' | 'off';

/** The settings that change which operations are served, and how. */
export interface Serving {
  readonly index: Visibility;
  /** The status of the gate's yes. */
  readonly gateAnswers: '200' | '204';
  /** The header in which the gate also gives the name as it is; empty for none. */
  readonly gateUserHeader: string;
  /** The details of a user that the gate sends besides the name. */
  readonly gateDetails: readonly UserDetail[];
}

/** The same operation for users only. It needs a transaction, since the caller is known only inside one. */
const forUsers = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  authentication: 'user',
  transaction: 'required',
  access: 'read',
});

/** The gate operation as the proxy in front of it needs it. */
function forProxy(operation: AnyOperation, serving: Serving): AnyOperation {
  if (!operation.anyRequest) return operation;
  const { gateAnswers, gateUserHeader, gateDetails: details } = serving;
  const headers = gateUserHeader === '' ? { details } : { details, userHeader: gateUserHeader };
  return { ...operation.anyRequest.withHeaders(headers), answers: gateAnswers === '200' ? 200 : 204 };
}

/**
 * The operations that the service serves. Those that describe the service are public, for users, or not served. Only
 * served operations are described, so the index and the OpenAPI document agree.
 */
export function servedWith(serving: Serving, operations: readonly AnyOperation[]): readonly AnyOperation[] {
  const { index } = serving;
  return operations.flatMap((operation) => {
    if (index === 'public' || !operation.describes) return [forProxy(operation, serving)];
    return index === 'user' ? [forUsers(operation)] : [];
  });
}
