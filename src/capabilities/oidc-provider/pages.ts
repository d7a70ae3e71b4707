import type { AnyOperation } from '../../core/operation.ts';
import consent from './pages/consent.ts';
import { CONSOLE_PAGES } from './pages/console.ts';

/** The pages of sign-ins at applications, and those of the console about them. */
export const PAGES: readonly AnyOperation[] = [...CONSOLE_PAGES, ...consent];
