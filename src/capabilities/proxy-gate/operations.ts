import type { AnyOperation } from '../../core/operation.ts';
import explanationGet from './operations/admin/gate/explanation.get.ts';
import gateGet from './operations/gate.get.ts';

/** The operations of this capability that the description of the service shows. */
export const OPERATIONS: readonly AnyOperation[] = [gateGet, explanationGet];
