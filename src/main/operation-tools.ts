import type { Capability } from '../capabilities/capability.ts';
import type { OperationTools } from '../core/operation.ts';
import type { Settings } from '../core/settings/table.ts';

/** What capabilities give to operations by the settings alone, without being opened. */
export const toolsOf = (capabilities: readonly Capability[], settings: Settings): Partial<OperationTools> =>
  Object.assign({}, ...capabilities.map(({ operationTools }) => operationTools?.(settings)));
