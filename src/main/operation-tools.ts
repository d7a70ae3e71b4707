import type { Capability } from '../capabilities/capability.ts';
import type { OperationTools } from '../core/operation.ts';

/** What capabilities give to operations without being opened. */
export const toolsOf = (capabilities: readonly Capability[]): Partial<OperationTools> =>
  Object.assign({}, ...capabilities.map(({ operationTools }) => operationTools));
