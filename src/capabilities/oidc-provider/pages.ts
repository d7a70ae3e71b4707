import type { AnyOperation } from '../../core/operation.ts';
import account from './pages/account.ts';
import consent from './pages/consent.ts';
import { CONSOLE_PAGES } from './pages/console.ts';

/** The pages of sign-ins at applications, those of the console about them, and what ends them on the account page. */
export const PAGES: readonly AnyOperation[] = [...CONSOLE_PAGES, ...consent, ...account];
