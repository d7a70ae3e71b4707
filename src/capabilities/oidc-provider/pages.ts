import type { AnyOperation } from '../../core/operation.ts';
import account from './pages/account.ts';
import consent from './pages/consent.ts';
import { CONSOLE_PAGES } from './pages/console.ts';

export const PAGES: readonly AnyOperation[] = [...CONSOLE_PAGES, ...consent, ...account];
