import type { AnyOperation } from '../../core/operation.ts';
import consent from './pages/consent.ts';

/** The pages of sign-ins at applications. */
export const PAGES: readonly AnyOperation[] = [...consent];
