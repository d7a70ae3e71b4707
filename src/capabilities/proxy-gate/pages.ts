import type { AnyOperation } from '../../core/operation.ts';
import { CONSOLE_PAGES } from './pages/console.ts';
import { HAND_OVER_PAGES } from './pages/hand-over.ts';

/** The way of a browser on another domain to a ticket, and the page of the console. */
export const PAGES: readonly AnyOperation[] = [...HAND_OVER_PAGES, ...CONSOLE_PAGES];
