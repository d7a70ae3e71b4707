import type { AnyOperation } from '../../core/operation.ts';
import actionPages from './pages/action.ts';
import actionsGet from './pages/actions.get.ts';

/** The pages of this capability. */
export const PAGES: readonly AnyOperation[] = [actionsGet, ...actionPages];
